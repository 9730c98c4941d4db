import { Askings } from '../askings.ts';
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

/** One thing that must hold. It throws, or rejects, when it does not. */
export interface Invariant {
  name: string;
  run(): void | Promise<void>;
}

/** What signals beside the plugin's own say of items; `computed`: what they would say in the service, where that is known. */
export type OtherSignals = ((name: string) => (item: Ordinal) => number) | 'computed';

/** What a request may be asked, beside its world. */
export interface Asked {
  /** Of the extension that asks; the plugin's own signals read what they themselves declare. */
  reads?: readonly string[];
  others: OtherSignals;
  /** Only what lasts when nothing happens to the items: fields of users throw. Default false. */
  lasting?: boolean;
  /** By a filter or a rule, which say what may be shown. Default false. */
  for_admission?: boolean;
  /** Of the request that this one is for the sake of; default: of nobody's. */
  askings?: Askings;
}

/** A plugin under test, set up without a service. */
export class Subject {
  readonly spaces: TestSpaces = { users: new TestNames(), items: new TestNames() };
  private readonly refreshes: Promise<void>[] = [];

  /**
   * @param known the signals that there are beside the plugin's own
   * @param log where `host.log` goes; default nowhere
   */
  constructor(
    readonly plugin: Plugin,
    private readonly known: KnownSignals,
    private readonly log: PluginLog = SILENT,
  ) {}

  /** Runs `setup` and the first run of everything that is to be refreshed; nothing is refreshed later. */
  async setUp(): Promise<void> {
    await this.plugin.setup?.(this.host());
    await Promise.all(this.refreshes);
  }

  async tearDown(): Promise<void> {
    await this.plugin.dispose?.();
  }

  /** @throws Error when the plugin has no such extension */
  extension<K extends Kind>(kind: K, id: string): ExtensionOf<K> {
    const extensions: { [P in Kind]?: Record<string, ExtensionOf<P>> } = this.plugin;
    const extension = extensions[kind]?.[id];
    if (extension === undefined) throw new Error(`the plugin has no '${id}' among its ${kind}`);
    return extension;
  }

  /** The plugin's own, or one that there is beside it. @throws Error when there is none */
  signal(name: string): Signal {
    const signal = this.own(name) ?? this.known(name);
    if (signal === undefined) throw new Error(`no plugin registered a signal named '${name}'`);
    return signal;
  }

  request(world: TestWorld, asked: Asked): TestRequest {
    const { reads = [], lasting = false, for_admission = false } = asked;
    const { askings = new Askings() } = asked;
    const signal = (name: string) => this.bound(name, world, { ...asked, askings });
    return new TestRequest(world, { spaces: this.spaces, reads, lasting, for_admission, signal });
  }

  /** A signal in a world, as of a request. */
  private bound(name: string, world: TestWorld, asked: Asked & { askings: Askings }): TestSignal {
    const signal = this.signal(name);
    const { depends_on, reaches } = signal;
    const { others, askings } = asked;
    const computed = this.own(name) !== undefined || (others === 'computed' && !isOnTrust(signal));
    if (computed) {
      const request = () => this.request(world, { ...asked, reads: signal.reads });
      const options = withDefaults(countingCharacters(signal.options), undefined) as never;
      return {
        depends_on,
        bind: () => {
          const what = `the signal '${name}'`;
          const measure = askings.within(what, () => signal.compile(options)(request()));
          return (item) =>
            askings.within(`${what} of item '${this.spaces.items.id(item)}'`, () => measure(item));
        },
        reach:
          reaches &&
          (() => askings.within(`the best of '${name}'`, () => reaches.call(signal, options)(request()))),
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
    // Whoever waits for it hears of it; after a setup that failed nobody does.
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
