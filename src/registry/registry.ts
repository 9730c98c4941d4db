import type { TSchema } from '@sinclair/typebox';
import type {
  Extensions,
  Integration,
  Ordinal,
  Plugin,
  Read,
  RequestContext,
  Signal,
} from '../plugin/index.ts';
import type { IntegrationMember } from '../plugin/integration.ts';
import { textOf } from '../plugin/text-of.ts';
import { type Attribution, attributed, type Watch } from './attribution.ts';
import { checkPlugin } from './check-plugin.ts';
import { KINDS, type Kind, type KindMap } from './kinds.ts';
import { OptionsChecker } from './options.ts';
import { PLUGIN_CALLS } from './plugin-calls.ts';
import { blaming, pluginFailed } from './plugin-failed.ts';

const ASKS_FOR_ITSELF = 'it requests its own value of the same item, perhaps through another signal';

/**
 * Wraps the values of a plugin's signal so that its errors name it, whichever plugin requested the value.
 *
 * A throw or a value outside [0, 1] fails the request. Costs a few nanoseconds per value.
 */
function guarded(
  { id, watched: watchedNow }: Attribution,
  bind: CompiledSignal['bind'] & object,
): CompiledSignal['bind'] {
  return (request) => {
    const watched = watchedNow();
    const measure = blaming(id, () => (watched ? watched(() => bind(request)) : bind(request)));
    let under_way: Ordinal | undefined;
    const checked = (item: Ordinal) => {
      if (item === under_way) throw pluginFailed(id, new Error(ASKS_FOR_ITSELF));
      const outer = under_way;
      under_way = item;
      let value: unknown;
      try {
        value = measure(item);
      } catch (error) {
        throw pluginFailed(id, error);
      } finally {
        under_way = outer;
      }
      if (typeof value === 'number' && value >= 0 && value <= 1) return value;
      throw pluginFailed(id, new Error(`value ${textOf(value)} is not a number from 0 to 1`));
    };
    return watched === undefined ? checked : (item) => watched(() => checked(item));
  };
}

/** An extension that a configuration can name. */
export interface Registered<E> {
  id: string;
  extension: E;
  /** `built-in`, or the plugin's file. */
  source: string;
  options: OptionsChecker;
}

/** An integration that has a member. */
export type RegisteredIntegration<M extends IntegrationMember> = Registered<
  Integration & Required<Pick<Integration, M | (M extends 'receive' ? 'signature' : never)>>
>;

/** A signal compiled with its defaults, which are its only options. */
export interface CompiledSignal {
  extension: Signal;
  /** Undefined for a signal that reaches items. */
  bind?: (request: RequestContext) => (item: Ordinal) => number;
  /** The result is not checked. */
  reach?: (request: RequestContext) => unknown;
}

export const BUILT_IN = 'built-in';

/** Whether an id belongs to a plugin. Built-in ids have no namespace. */
export function isThirdParty(id: string): boolean {
  return id.includes('/');
}

/** Whether an extension reads the words of items. */
export function readsWords(extension: object): boolean {
  return 'reads' in extension && Array.isArray(extension.reads) && extension.reads.includes('words');
}

/** All loaded extensions by kind and id. One instance per service. */
export class Registry {
  private readonly kinds = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as {
    [K in Kind]: Map<string, Registered<KindMap[K]>>;
  };

  private readonly loaded = new Map<string, Plugin>();
  private readonly signals = new Map<string, CompiledSignal>();

  /** If set, it runs calls of plugins' extensions, to measure their time. */
  watch: Watch | undefined;

  /** Adds built-in extensions, whose ids have no namespace. */
  addBuiltIn(extensions: Extensions): void {
    this.addAll(extensions, BUILT_IN);
  }

  /**
   * Adds a plugin completely, or not at all.
   * @throws StartupError with a `plugin_…` code that names the file, the reason and the remedy
   */
  add(candidate: unknown, source: string): Plugin {
    const checked = checkPlugin(candidate, source, (kind, id) => this.kinds[kind].get(id)?.source);
    const plugin = PLUGIN_CALLS.markedPlugin(checked, source);
    this.addAll(plugin, source);
    this.loaded.set(source, plugin);
    return plugin;
  }

  get<K extends Kind>(kind: K, id: string): Registered<KindMap[K]> | undefined {
    return this.kinds[kind].get(id);
  }

  signal(id: string): CompiledSignal | undefined {
    const known = this.signals.get(id);
    if (known !== undefined) return known;
    const registered = this.kinds.signals.get(id);
    if (registered === undefined) return undefined;
    const compiled = this.compiledSignal(registered);
    this.signals.set(id, compiled);
    return compiled;
  }

  protected compiledSignal({ id, extension, options }: Registered<Signal>): CompiledSignal {
    const defaults = options.defaults();
    const { compile, reaches } = extension;
    // Feeds guard extensions of other kinds. Signals are requested by other plugins, deep inside a request.
    const attribution = this.attribution('signals', id);
    const bind = compile && blaming(id, () => compile.call(extension, defaults));
    const reach = reaches && blaming(id, () => reaches.call(extension, defaults));
    return {
      extension,
      bind: bind && isThirdParty(id) ? guarded(attribution, bind) : bind,
      reach: reach && ((request) => attributed(attribution, () => reach(request))),
    };
  }

  /** How calls of an extension are attributed to it. Only plugins' extensions are measured. */
  attribution(kind: Kind, id: string): Attribution {
    return {
      id,
      watched: () => {
        const watch = isThirdParty(id) ? this.watch : undefined;
        return watch && ((run) => watch(kind, id, run));
      },
    };
  }

  ids(kind: Kind): string[] {
    return [...this.kinds[kind].keys()];
  }

  /** The integrations that have a member, by id. */
  integrations<M extends IntegrationMember>(member: M): Map<string, RegisteredIntegration<M>> {
    const having = this.all('integrations').filter(
      (registered): registered is RegisteredIntegration<M> => registered.extension[member] !== undefined,
    );
    return new Map(having.map((registered) => [registered.id, registered]));
  }

  all<K extends Kind>(kind: K): Registered<KindMap[K]>[] {
    return [...this.kinds[kind].values()];
  }

  /** The fields that the loaded extensions read, each once. */
  reads(): Set<Read> {
    const reads = new Set<Read>();
    for (const kind of KINDS) {
      for (const { extension } of this.all(kind)) {
        if ('reads' in extension) for (const read of extension.reads ?? []) reads.add(read);
      }
    }
    return reads;
  }

  /** Whether a plugin of the operator reads the words of items. Built-in extensions do only where a feed uses them. */
  get reads_words(): boolean {
    return [...this.loaded.values()].some((plugin) =>
      KINDS.some((kind) => Object.values(plugin[kind] ?? {}).some((extension) => readsWords(extension))),
    );
  }

  plugins(): ReadonlyMap<string, Plugin> {
    return this.loaded;
  }

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

  private put<K extends Kind>(
    kind: K,
    id: string,
    extension: KindMap[K] & { options: TSchema },
    source: string,
  ): void {
    const options = new OptionsChecker(extension.options);
    this.kinds[kind].set(id, { id, extension, source, options });
  }
}
