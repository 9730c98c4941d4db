import type { Timers } from '../clock.ts';
import { reasonOf, type StartupError } from '../errors.ts';
import type { IdMap, IdSet, Plugin, PluginHost, PluginLog, Refreshed } from '../plugin/index.ts';
import { refusePlugin } from './check-plugin.ts';
import { LiveIdMap, LiveIdSet, type NamesView } from './id-set.ts';
import { Refresh } from './refresh.ts';
import type { Registry } from './registry.ts';

/** A plugin that is not set up after this long is named in the log, again and again. */
const SLOW_SETUP_SECONDS = 10;
/** How long a plugin's `dispose` may hold up a stop. */
const DISPOSE_SECONDS_MAX = 5;

export interface HostOptions {
  users: NamesView;
  items: NamesView;
  timers: Timers;
  /** The log of one plugin. */
  logOf(plugin_name: string): PluginLog;
}

/** One plugin's `PluginHost`, and what it has to be asked to stop. */
class Host implements PluginHost {
  readonly refreshes: Refresh<unknown>[] = [];
  readonly log: PluginLog;
  disposable = false;
  private stopped = false;

  constructor(
    readonly plugin: Plugin,
    readonly source: string,
    private readonly options: HostOptions,
  ) {
    this.log = options.logOf(plugin.meta.name);
  }

  refresh<T>(name: string, seconds: number, fn: () => T | Promise<T>, initial?: T): Refreshed<T> {
    if (this.stopped) throw new Error(`refresh '${name}': the service has stopped`);
    const refresh = new Refresh({ name, seconds, fn, initial }, this.options.timers, this.log);
    this.refreshes.push(refresh);
    return refresh;
  }

  user_set(user_ids: Iterable<string>): IdSet {
    return new LiveIdSet(this.options.users, user_ids);
  }

  item_set(item_ids: Iterable<string>): IdSet {
    return new LiveIdSet(this.options.items, item_ids);
  }

  user_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T> {
    return new LiveIdMap(this.options.users, entries);
  }

  item_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T> {
    return new LiveIdMap(this.options.items, entries);
  }

  /** Runs `setup` and waits for the first run of everything that it keeps up to date. */
  async setUp(): Promise<void> {
    const { plugin, options } = this;
    const tell = (): (() => void) =>
      options.timers.after(SLOW_SETUP_SECONDS, () => {
        this.log.warn({ source: this.source }, 'the plugin is still being set up');
        cancel = tell();
      });
    let cancel = tell();
    try {
      await plugin.setup?.(this);
      this.disposable = true;
      await Promise.all(this.refreshes.map(({ first }) => first));
    } finally {
      cancel();
    }
  }

  /** Never throws: what a plugin does at its end must not keep the store from being closed. */
  async close(): Promise<void> {
    this.stopped = true;
    for (const refresh of this.refreshes) refresh.stop();
    if (!this.disposable) return;
    let cancel = (): void => {};
    const late = new Promise<void>((_, reject) => {
      const give_up = () => reject(new Error(`it took longer than ${DISPOSE_SECONDS_MAX} s`));
      cancel = this.options.timers.after(DISPOSE_SECONDS_MAX, give_up);
    });
    try {
      await Promise.race([this.dispose(), late]);
    } catch (error) {
      this.log.error({ cause: reasonOf(error) }, 'the plugin could not be disposed of');
    } finally {
      cancel();
    }
  }

  private async dispose(): Promise<void> {
    await this.plugin.dispose?.();
  }
}

/** What third parties' plugins have set up. One instance per service. */
export class PluginHosts {
  private readonly hosts: Host[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly options: HostOptions,
  ) {}

  /**
   * Sets the loaded plugins up, one after another. Strict: the first failure is thrown. Otherwise what
   * fails is taken out of the registry and returned.
   * @throws StartupError `plugin_threw_on_load`; everything is closed again then
   */
  async setUp(strict: boolean): Promise<StartupError[]> {
    const refused: StartupError[] = [];
    for (const [source, plugin] of [...this.registry.plugins()]) {
      const host = new Host(plugin, source, this.options);
      this.hosts.push(host);
      try {
        await host.setUp();
      } catch (error) {
        const refusal = refusePlugin('plugin_threw_on_load', source, `setup: ${reasonOf(error)}`, REMEDY);
        if (strict) await this.close();
        else await host.close();
        if (strict) throw refusal;
        this.registry.remove(source);
        refused.push(refusal);
      }
    }
    return refused;
  }

  /** Ends everything, the last plugin first. A second call does nothing. */
  async close(): Promise<void> {
    for (let host = this.hosts.pop(); host !== undefined; host = this.hosts.pop()) await host.close();
  }
}

const REMEDY = 'Give the plugin what its setup needs, or a value to start with.';
