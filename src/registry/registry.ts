import type { TSchema } from '@sinclair/typebox';
import type { Extensions, Ordinal, Plugin, Reached, Read, RequestContext, Signal } from '../plugin/index.ts';
import type { Account, Watch } from './account.ts';
import { checkPlugin } from './check-plugin.ts';
import { guardSignal } from './guard-signal.ts';
import { KINDS, type Kind, type KindMap } from './kinds.ts';
import { OptionsChecker } from './options.ts';

/** One extension that can be named in a configuration. */
export interface Registered<E> {
  id: string;
  extension: E;
  /** `built-in`, or the file it came from. */
  source: string;
  options: OptionsChecker;
}

/** A signal with its defaults, which are all the options that it ever has. */
export interface CompiledSignal {
  extension: Signal;
  bind(request: RequestContext): (item: Ordinal) => number;
  reach?(request: RequestContext): Reached;
}

/** The source of what comes with the service. */
export const BUILT_IN = 'built-in';

/** Built-in ids are bare, third parties' have a namespace. */
export function isThirdParty(id: string): boolean {
  return id.includes('/');
}

/** Every loaded extension by kind and id. One instance per service. */
export class Registry {
  private readonly kinds: { [K in Kind]: Map<string, Registered<KindMap[K]>> } = {
    filters: new Map(),
    scoring_functions: new Map(),
    visibility_rules: new Map(),
    signals: new Map(),
    candidate_sources: new Map(),
    promotion_strategies: new Map(),
    metadata_providers: new Map(),
  };

  private readonly loaded = new Map<string, Plugin>();
  private readonly signals = new Map<string, CompiledSignal>();

  /** Runs what third parties' extensions are asked for while it is set, to time them. */
  watch: Watch | undefined;

  /** Adds a built-in module: bare ids, no `meta`. */
  addBuiltIn(extensions: Extensions): void {
    this.addAll(extensions, BUILT_IN);
  }

  /**
   * Adds a third party's plugin, whole or not at all.
   * @throws StartupError with a `plugin_…` code naming file, reason and remedy.
   */
  add(candidate: unknown, source: string): Plugin {
    const plugin = checkPlugin(candidate, source, (kind, id) => this.kinds[kind].get(id)?.source);
    this.addAll(plugin, source);
    this.loaded.set(source, plugin);
    return plugin;
  }

  get<K extends Kind>(kind: K, id: string): Registered<KindMap[K]> | undefined {
    return this.kinds[kind].get(id);
  }

  /** A signal, compiled at the first use. */
  signal(id: string): CompiledSignal | undefined {
    const known = this.signals.get(id);
    if (known !== undefined) return known;
    const registered = this.kinds.signals.get(id);
    if (registered === undefined) return undefined;
    const { extension, options } = registered;
    const defaults = options.defaults();
    const bind = extension.compile(defaults);
    const compiled = { extension, bind, reach: extension.reaches?.(defaults) };
    this.signals.set(id, compiled);
    return compiled;
  }

  /** The account of an extension. Only third parties' are watched. */
  account(kind: Kind, id: string): Account {
    if (!isThirdParty(id)) return { id, watched: () => undefined };
    return {
      id,
      watched: () => {
        const { watch } = this;
        return watch && ((run) => watch(kind, id, run));
      },
    };
  }

  /** Ids of a kind in order of registration. */
  ids(kind: Kind): string[] {
    return [...this.kinds[kind].keys()];
  }

  all<K extends Kind>(kind: K): Registered<KindMap[K]>[] {
    return [...this.kinds[kind].values()];
  }

  /** What the loaded extensions ask the host to hold, each once. */
  reads(): Set<Read> {
    const reads = new Set<Read>();
    for (const kind of KINDS) {
      for (const { extension } of this.all(kind)) {
        if ('reads' in extension) for (const read of extension.reads ?? []) reads.add(read);
      }
    }
    return reads;
  }

  /** Third parties' plugins by the file they came from, in order of loading. */
  plugins(): ReadonlyMap<string, Plugin> {
    return this.loaded;
  }

  /** Takes everything of a third party's file out again. */
  remove(source: string): void {
    this.loaded.delete(source);
    for (const kind of KINDS) {
      for (const registered of this.all(kind)) {
        if (registered.source !== source) continue;
        this.kinds[kind].delete(registered.id);
        if (kind === 'signals') this.signals.delete(registered.id);
      }
    }
  }

  private addAll(extensions: Extensions, source: string): void {
    for (const kind of KINDS) {
      for (const [id, extension] of Object.entries(extensions[kind] ?? {}))
        this.put(kind, id, extension, source);
    }
  }

  private guardSignal(id: string): void {
    const registered = this.kinds.signals.get(id);
    if (registered !== undefined)
      registered.extension = guardSignal(this.account('signals', id), registered.extension);
  }

  private put<K extends Kind>(
    kind: K,
    id: string,
    extension: KindMap[K] & { options: TSchema },
    source: string,
  ): void {
    const options = new OptionsChecker(extension.options);
    this.kinds[kind].set(id, { id, extension, source, options });
    // Feeds name the others and guard them; signals are asked for by other plugins, deep inside a request.
    if (kind === 'signals' && source !== BUILT_IN) this.guardSignal(id);
  }
}
