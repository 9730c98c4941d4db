import { BUILT_IN } from '../../plugins/index.ts';
import { NONE, type Plugin, type PluginLog, type Signal } from '../plugin/index.ts';
import type { Read } from '../plugin/reads.ts';
import type { NamesView } from '../registry/id-set.ts';
import { KINDS, type Kind, type KindMap } from '../registry/kinds.ts';
import { PluginHosts } from '../registry/plugin-hosts.ts';
import { isThirdParty, type Registered } from '../registry/registry.ts';
import { ASSUMED, type OtherSignals, TestRegistry } from './other-signals.ts';
import { sampleWorlds } from './sample-worlds.ts';
import { SmallWorld } from './small-world.ts';
import { Conduct, strictPlugin } from './strict.ts';
import type { TestWorld } from './test-world.ts';

const SILENT: PluginLog = { info: () => {}, warn: () => {}, error: () => {} };
/** More than the names of any world. */
const NAMES_MAX = 2 ** 32;

/** A plugin that is loaded and set up as in the service, and the worlds in which its extensions are tried. */
export class PluginUnderTest {
  readonly conduct = new Conduct();
  private readonly plugin: Plugin;
  readonly registry: TestRegistry;
  private readonly hosts: PluginHosts;
  private readonly worlds = new WeakMap<TestWorld, SmallWorld>();
  private sampled: TestWorld[] | undefined;
  /** The world that was entered last. */
  private current: SmallWorld | undefined;
  /** The number of changes from one world to another. */
  private turns = 0;

  /**
   * @param others the signals of other plugins
   * @param log receives the lines of `host.log`; default: they are discarded
   * @throws StartupError if the service would refuse the plugin
   */
  constructor(
    plugin: Plugin,
    private readonly others: OtherSignals = ASSUMED,
    log: PluginLog = SILENT,
  ) {
    this.plugin = strictPlugin(plugin, this.conduct);
    this.registry = this.load();
    this.hosts = new PluginHosts(this.registry, {
      users: this.namesOf('users'),
      items: this.namesOf('items'),
      // Values are not refreshed during a test.
      timers: { after: () => () => {} },
      logOf: () => log,
    });
  }

  /** Runs `setup` and waits for the first run of each refresh. */
  async setUp(): Promise<void> {
    await this.hosts.setUp(true);
  }

  tearDown(): Promise<void> {
    return this.hosts.close();
  }

  /** @throws Error if the plugin has no such extension */
  extension<K extends Kind>(kind: K, id: string): Registered<KindMap[K]> {
    const registered = this.plugin[kind]?.[id] && this.registry.get(kind, id);
    if (registered === undefined) throw new Error(`the plugin has no '${id}' among its ${kind}`);
    return registered;
  }

  /** The signal with this id, of any plugin. @throws Error if there is none */
  signal(id: string): Signal {
    const registered = this.registry.get('signals', id);
    if (registered === undefined) throw new Error(`no plugin registered a signal named '${id}'`);
    return registered.extension;
  }

  /** The fields that its extensions read. */
  reads(): ReadonlySet<Read> {
    return this.registry.reads();
  }

  /** The worlds that every extension must handle. */
  get samples(): readonly TestWorld[] {
    this.sampled ??= sampleWorlds(this.reads());
    return this.sampled;
  }

  /** A world for its extensions. From now on, sets of ids that the plugin keeps are about this world. */
  enter(given: TestWorld): SmallWorld {
    const world = this.worlds.get(given) ?? new SmallWorld(given, this.load(), this.reads());
    this.worlds.set(given, world);
    if (world !== this.current) this.turns++;
    this.current = world;
    return world;
  }

  private load(): TestRegistry {
    const registry = new TestRegistry(this.others);
    registry.addBuiltIn(BUILT_IN);
    const { plugin } = this;
    const ids = KINDS.flatMap((kind) => Object.keys(plugin[kind] ?? {}));
    if (ids.some(isThirdParty)) registry.add(plugin, plugin.meta.name);
    else registry.addBuiltIn(plugin);
    return registry;
  }

  private namesOf(of: 'users' | 'items'): NamesView {
    const current = () => this.current?.names[of];
    const turns = () => this.turns;
    return {
      // Another number for each world, so that ordinals of the last one are forgotten.
      get given() {
        return turns() * NAMES_MAX + (current()?.given ?? 0);
      },
      givenSince: () => undefined,
      find: (id) => current()?.find(id) ?? NONE,
      id: (ordinal) => current()?.id(ordinal) ?? '',
    };
  }
}
