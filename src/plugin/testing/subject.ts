import { ActiveCalls } from '../active-calls.ts';
import { withDefaults } from '../defaults.ts';
import type { IdMap, IdSet, PluginHost, PluginLog, Refreshed } from '../host.ts';
import { checkRefresh, valuesById } from '../host-rules.ts';
import type { Extensions, Plugin, Signal } from '../kinds.ts';
import type { Ordinal } from '../ordinal.ts';
import { countingCharacters } from '../text-length.ts';
import { textOf } from '../text-of.ts';
import { isOnTrust, type KnownSignals } from './known-signals.ts';
import { TestNames, type TestSpaces } from './names.ts';
import { TestReached } from './reached.ts';
import { sampleSignal } from './sample.ts';
import { TestRequest, type TestSignal } from './test-request.ts';
import type { TestWorld } from './world.ts';

export type Kind = keyof Extensions;
export type ExtensionOf<K extends Kind> = NonNullable<Extensions[K]>[string];

/** A property that must hold. `run` throws or rejects if it does not. */
export interface Invariant {
  name: string;
  run(): void | Promise<void>;
}

/** Values of other plugins' signals. `computed`: computed as in the service, if possible. */
export type OtherSignals = ((name: string) => (item: Ordinal) => number) | 'computed';

/** What a request permits. */
export interface Asked {
  /** The fields that the extension may read. The plugin's own signals use their own declarations. */
  reads?: readonly string[];
  others: OtherSignals;
  /** Fields of users throw, since they can change without the items. Default false. */
  lasting?: boolean;
  /** The extension is a filter or rule. Default false. */
  for_admission?: boolean;
  /** The stack of the request on whose behalf this one is made. Default: none. */
  active_calls?: ActiveCalls;
}

/** A plugin under test, set up without the service. */
export class Subject {
  readonly spaces: TestSpaces = { users: new TestNames(), items: new TestNames() };
  private readonly refreshes: Promise<void>[] = [];

  /**
   * @param known the signals of other plugins
   * @param log receives the lines of `host.log`; default: they are discarded
   */
  constructor(
    readonly plugin: Plugin,
    private readonly known: KnownSignals,
    private readonly log: PluginLog = SILENT,
  ) {}

  /** Runs `setup` and waits for the first run of each refresh. Values are not refreshed later. */
  async setUp(): Promise<void> {
    await this.plugin.setup?.(this.host());
    await Promise.all(this.refreshes);
  }

  async tearDown(): Promise<void> {
    await this.plugin.dispose?.();
  }

  extension<K extends Kind>(kind: K, id: string): ExtensionOf<K> {
    const extensions: { [P in Kind]?: Record<string, ExtensionOf<P>> } = this.plugin;
    const extension = extensions[kind]?.[id];
    if (extension === undefined) throw new Error(`the plugin has no '${id}' among its ${kind}`);
    return extension;
  }

  /** Finds a signal of the plugin or of another plugin. @throws Error if there is none */
  signal(name: string): Signal {
    const signal = this.own(name) ?? this.known(name);
    if (signal === undefined) throw new Error(`no plugin registered a signal named '${name}'`);
    return signal;
  }

  request(world: TestWorld, asked: Asked): TestRequest {
    const { reads = [], lasting = false, for_admission = false } = asked;
    const { active_calls = new ActiveCalls() } = asked;
    const signal = (name: string) => this.bound(name, world, { ...asked, active_calls });
    return new TestRequest(world, { spaces: this.spaces, reads, lasting, for_admission, signal });
  }

  /** Binds a signal to a world for one request. */
  private bound(name: string, world: TestWorld, asked: Asked & { active_calls: ActiveCalls }): TestSignal {
    const signal = this.signal(name);
    const { depends_on, reaches } = signal;
    const { others, active_calls } = asked;
    const computed = this.own(name) !== undefined || (others === 'computed' && !isOnTrust(signal));
    if (computed) {
      const request = () => this.request(world, { ...asked, reads: signal.reads });
      const options = withDefaults(countingCharacters(signal.options), undefined) as never;
      return {
        depends_on,
        bind: () => {
          const what = `the signal '${name}'`;
          const measure = active_calls.within(what, () => signal.compile(options)(request()));
          return (item) =>
            active_calls.within(`${what} of item '${this.spaces.items.id(item)}'`, () => measure(item));
        },
        reach:
          reaches &&
          (() =>
            active_calls.within(`the best of '${name}'`, () => reaches.call(signal, options)(request()))),
      };
    }
    const value = others === 'computed' ? sampleSignal(name) : others(name);
    const reach = () => new TestReached(this.request(world, { others }).items, value);
    return { depends_on, bind: () => value, reach: reaches && reach };
  }

  private own(name: string): Signal | undefined {
    const { signals = {} } = this.plugin;
    return Object.hasOwn(signals, name) ? signals[name] : undefined;
  }

  private host(): PluginHost {
    return {
      log: this.log,
      refresh: (name, seconds, fn, initial) => {
        checkRefresh(name, seconds, fn);
        return this.refresh(name, fn, initial);
      },
      user_set: (ids) => idSet(this.spaces.users, ids),
      item_set: (ids) => idSet(this.spaces.items, ids),
      user_map: (entries) => idMap(this.spaces.users, entries),
      item_map: (entries) => idMap(this.spaces.items, entries),
    };
  }

  private refresh<T>(name: string, fn: () => T | Promise<T>, initial: T | undefined): Refreshed<T> {
    let current: { value: T } | undefined = initial === undefined ? undefined : { value: initial };
    const run = async () => {
      try {
        current = { value: await fn() };
      } catch (error) {
        const reason = error instanceof Error ? error.message : textOf(error);
        if (current === undefined) throw new Error(`refresh '${name}': ${reason}`, { cause: error });
        this.log.error({ cause: reason }, `'${name}' could not be refreshed; its old value stays`);
      }
    };
    const first = run();
    // `setUp` awaits the promise. If `setup` itself failed, nothing does, and the rejection must not be unhandled.
    first.catch(() => {});
    this.refreshes.push(first);
    return {
      get value() {
        if (current === undefined) throw new Error(`'${name}' has no value yet`);
        return current.value;
      },
    };
  }
}

function idSet(names: TestNames, ids: Iterable<string>): IdSet {
  const members = idMap(
    names,
    Array.from(ids, (id) => [id, true] as const),
  );
  return { has: (ordinal) => members.get(ordinal) === true };
}

function idMap<T>(names: TestNames, entries: Iterable<readonly [string, T]>): IdMap<T> {
  const values = valuesById(entries);
  return { get: (ordinal) => (ordinal < 0 ? undefined : values.get(names.id(ordinal))) };
}

const SILENT: PluginLog = { info: () => {}, warn: () => {}, error: () => {} };
