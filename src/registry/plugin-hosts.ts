import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { Plugin, PluginHost, PluginLog, Refreshed } from '../plugin/index.ts';
import { untilStopped } from '../until-stopped.ts';
import { LiveIdMap, LiveIdSet, type NamesView } from './id-set.ts';
import { PLUGIN_CALLS, type PluginCall } from './plugin-calls.ts';
import { removeUnranked } from './rankings.ts';
import { Refresh, type RefreshOptions } from './refresh.ts';
import { RefusedPlugin } from './refused-plugin.ts';
import type { Registry } from './registry.ts';
import { slowly } from './slowly.ts';

const DISPOSE_SECONDS_MAX = 5;

export interface HostOptions {
  users: NamesView;
  items: NamesView;
  timers: Timers;
  logOf(plugin_name: string): PluginLog;
}

class Host {
  private readonly refreshes: Refresh<unknown>[] = [];
  private readonly log: PluginLog;
  private disposable = false;
  private stopped = false;

  constructor(
    readonly plugin: Plugin,
    readonly source: string,
    private readonly options: HostOptions,
  ) {
    this.log = options.logOf(plugin.meta.name);
  }

  /**
   * Runs `setup` and waits for the first run of each refresh.
   * @throws the errors of these; the reason of `stopping` if it is aborted
   */
  async setUp(stopping: AbortSignal | undefined): Promise<void> {
    const begun = PLUGIN_CALLS.during(this.call('setup'), () => untilStopped(this.begin(), stopping));
    await slowly(begun, this.options.timers, () =>
      this.log.warn({ source: this.source }, 'the plugin is still being set up'),
    );
  }

  private async begin(): Promise<void> {
    await this.plugin.setup?.(this.given());
    this.disposable = true;
    await Promise.all(this.refreshes.map(({ first }) => first));
  }

  /** Never throws: an error of a plugin must not prevent the store from being closed. A second call does nothing. */
  async close(): Promise<void> {
    if (this.stopped) return;
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

  /** The argument of `setup`. Its methods work without `this`, because authors destructure it. */
  private given(): PluginHost {
    const { users, items } = this.options;
    const { log } = this;
    return {
      log: { info: log.info.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) },
      refresh: (name, seconds, fn, initial) =>
        this.refresh({
          name,
          seconds,
          // What is not a function is refused.
          fn: typeof fn === 'function' ? PLUGIN_CALLS.markedAlone(this.call(`refresh '${name}'`), fn) : fn,
          initial,
        }),
      user_set: (ids) => new LiveIdSet(users, ids),
      item_set: (ids) => new LiveIdSet(items, ids),
      user_map: (entries) => new LiveIdMap(users, entries),
      item_map: (entries) => new LiveIdMap(items, entries),
    };
  }

  private refresh<T>(options: RefreshOptions<T>): Refreshed<T> {
    if (this.stopped) throw new Error(`refresh '${options.name}': the service has stopped`);
    const refresh = new Refresh(options, this.options.timers, this.log);
    this.refreshes.push(refresh);
    return refresh;
  }

  private async dispose(): Promise<void> {
    const { dispose } = this.plugin;
    if (dispose !== undefined) await PLUGIN_CALLS.marked(this.call('dispose'), dispose.bind(this.plugin))();
  }

  private call(call: string): PluginCall {
    return { plugin: this.plugin.meta.name, call, source: this.source };
  }
}

/** The hosts of all plugins. One instance per service. */
export class PluginHosts {
  private readonly hosts: Host[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly options: HostOptions,
  ) {}

  /**
   * Sets up the loaded plugins, one after another.
   *
   * Strict: throws the first failure. Otherwise failed plugins are removed from the registry and returned, together
   * with plugins that are ranked by their signals.
   * @param stopping ends the wait for a plugin that takes too long
   * @throws StartupError `plugin_threw_on_load`, or the reason of `stopping`; everything is closed by then
   */
  async setUp(strict: boolean, stopping?: AbortSignal): Promise<RefusedPlugin[]> {
    const refused: RefusedPlugin[] = [];
    for (const [source, plugin] of [...this.registry.plugins()]) {
      const host = new Host(plugin, source, this.options);
      this.hosts.push(host);
      try {
        stopping?.throwIfAborted();
        await host.setUp(stopping);
      } catch (error) {
        const refusal = new RefusedPlugin(
          'plugin_threw_on_load',
          source,
          `setup: ${reasonOf(error)}`,
          REMEDY,
        );
        if (strict || stopping?.aborted) {
          await this.close();
          stopping?.throwIfAborted();
          throw refusal;
        }
        await host.close();
        this.registry.remove(source);
        refused.push(refusal);
      }
    }
    const unranked = refused.length > 0 ? removeUnranked(this.registry) : [];
    for (const [source, refusal] of unranked) {
      await this.hosts.find((host) => host.source === source)?.close();
      refused.push(refusal);
    }
    return refused;
  }

  /** Closes all hosts, the last plugin first. A second call does nothing. */
  async close(): Promise<void> {
    for (let host = this.hosts.pop(); host !== undefined; host = this.hosts.pop()) await host.close();
  }
}

const REMEDY = 'Give the plugin what its setup needs, or a value to start with.';
