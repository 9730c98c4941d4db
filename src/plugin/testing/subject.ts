import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { IdMap, IdSet, PluginHost, PluginLog, Refreshed } from '../host.ts';
import type { Extensions, Plugin } from '../kinds.ts';
import { TestNames, type TestSpaces } from './names.ts';
import { TestRequest } from './test-request.ts';
import type { TestWorld } from './world.ts';

export type Kind = keyof Extensions;
export type ExtensionOf<K extends Kind> = NonNullable<Extensions[K]>[string];

/** One thing that must hold. It throws, or rejects, when it does not. */
export interface Invariant {
  name: string;
  run(): void | Promise<void>;
}

/** What is asked of a signal that is not the plugin's own; undefined: there is none of that name. */
export type OtherSignals = (name: string) => ((item: number) => number) | undefined;

/** A plugin under test, set up without a service. */
export class Subject {
  readonly spaces: TestSpaces = { users: new TestNames(), items: new TestNames() };
  private readonly refreshes: Promise<void>[] = [];

  /** @param log where `host.log` goes; default nowhere */
  constructor(
    readonly plugin: Plugin,
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

  /** @param reads of the extension that asks; the plugin's own signals read what they themselves declare */
  request(world: TestWorld, reads: readonly string[], others: OtherSignals): TestRequest {
    const signal = (name: string) => {
      const own = this.plugin.signals?.[name];
      if (own === undefined) return others(name);
      return own.compile(defaultsOf(own.options))(this.request(world, own.reads ?? [], others));
    };
    return new TestRequest(world, { spaces: this.spaces, reads, signal });
  }

  private host(): PluginHost {
    return {
      log: this.log,
      refresh: (name, _seconds, fn, initial) => this.refresh(name, fn, initial),
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
        if (current === undefined) throw new Error(`refresh '${name}' failed`, { cause: error });
        this.log.error({ cause: String(error) }, `'${name}' could not be refreshed; its old value stays`);
      }
    };
    this.refreshes.push(run());
    return {
      get value() {
        if (current === undefined) throw new Error(`'${name}' has no value yet`);
        return current.value;
      },
    };
  }
}

/** The options of an extension that nobody configures. */
export function defaultsOf<O extends TSchema>(schema: O): Static<O> {
  return Value.Default(schema, {}) as Static<O>;
}

function idSet(names: TestNames, ids: Iterable<string>): IdSet {
  const wanted = new Set(ids);
  return { has: (ordinal) => wanted.has(names.id(ordinal)) };
}

function idMap<T>(names: TestNames, entries: Iterable<readonly [string, T]>): IdMap<T> {
  const values = new Map(entries);
  return { get: (ordinal) => values.get(names.id(ordinal)) };
}

const SILENT: PluginLog = { info: () => {}, warn: () => {}, error: () => {} };
