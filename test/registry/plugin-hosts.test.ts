import { describe, expect, test } from 'bun:test';
import type { IdSet, Plugin, PluginHost, Refreshed } from '../../src/plugin/index.ts';
import { Type } from '../../src/plugin/index.ts';
import { PluginHosts } from '../../src/registry/plugin-hosts.ts';
import { Registry } from '../../src/registry/registry.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { itemOf, Scene } from '../support/scene.ts';

/** Plugins with the given names, on a scene of their own. */
class Stage {
  readonly scene = new Scene();
  readonly registry = new Registry();
  readonly timers = new ManualTimers();
  readonly logged: string[] = [];
  readonly hosts = new PluginHosts(this.registry, {
    users: this.scene.state.users.names,
    items: this.scene.state.items.names,
    timers: this.timers,
    // Like the service's logger, its methods need `this`.
    logOf: (name) => {
      const { logged } = this;
      const log = {
        logged,
        info(fields: object | string, message = '') {
          this.logged.push(`${name}: ${message}${JSON.stringify(fields)}`);
        },
      };
      return Object.assign(log, { warn: log.info, error: log.info });
    },
  });

  add(name: string, parts: Omit<Plugin, 'meta'>): this {
    const filter = {
      kind: 'inclusion',
      summary: 'For tests.',
      options: Type.Object({}),
      compile: () => () => () => true,
    };
    const meta = { name, version: '1.0.0', api: 2 };
    this.registry.add({ meta, filters: { [`${name}/f`]: filter }, ...parts }, `${name}.ts`);
    return this;
  }
}

const failing = async (): Promise<never> => {
  throw new Error('no credentials');
};

describe('setting up plugins', () => {
  test('waits for each in order, and for the first run of what it refreshes', async () => {
    const stage = new Stage();
    const steps: string[] = [];
    const list = Promise.withResolvers<string[]>();
    stage
      .add('one', {
        async setup(host) {
          await settled();
          host.refresh('list', 5, () => list.promise);
          steps.push('one');
        },
      })
      .add('two', { setup: () => void steps.push('two') })
      .add('three', {});
    let ready = false;
    const setting_up = stage.hosts.setUp(true).then((refused) => {
      ready = true;
      return refused;
    });
    await settled();
    await settled();
    expect([steps, ready]).toEqual([['one'], false]);
    list.resolve([]);
    expect(await setting_up).toEqual([]);
    expect(steps).toEqual(['one', 'two']);
  });

  test('that fails rejects the plugin by its file, and closes earlier plugins', async () => {
    const stage = new Stage();
    const steps: string[] = [];
    stage
      .add('sound', { setup: () => {}, dispose: () => void steps.push('sound ended') })
      .add('bad', { setup: failing, dispose: () => void steps.push('bad ended') });
    const refused = stage.hosts.setUp(true);
    await expect(refused).rejects.toMatchObject({ code: 'plugin_threw_on_load' });
    await expect(refused).rejects.toThrow('plugin bad.ts: setup: no credentials');
    expect(steps).toEqual(['sound ended']);
    expect(stage.timers.count).toBe(0);
  });

  test('that fails leaves out the plugin if loading is not strict', async () => {
    const stage = new Stage();
    const throwing = () => {
      throw new Error('at once');
    };
    const refreshing = (host: PluginHost) => void host.refresh('list', 1, failing);
    stage
      .add('first', { setup: throwing })
      .add('second', { setup: refreshing })
      .add('third', { setup: () => {} });
    const refused = await stage.hosts.setUp(false);
    expect(refused.map(({ message }) => message)).toEqual([
      'plugin first.ts: setup: at once',
      "plugin second.ts: setup: refresh 'list': no credentials",
    ]);
    expect(stage.registry.ids('filters')).toEqual(['third/f']);
    expect(stage.timers.count).toBe(0);
  });

  test('that fails also leaves out plugins that are ranked by a signal of the plugin', async () => {
    const stage = new Stage();
    const ended: string[] = [];
    const extension = { summary: 'For tests.', options: Type.Object({}), compile: () => () => () => 1 };
    const ranked = { 'two/x_v1.0.0': { ...extension, ranked_by: 'one/s' } };
    stage
      .add('one', { setup: failing, signals: { 'one/s': { ...extension, depends_on: 'item' } } })
      .add('two', { setup: () => {}, dispose: () => void ended.push('two'), scoring_functions: ranked })
      .add('three', { dispose: () => void ended.push('three') });
    const refused = await stage.hosts.setUp(false);
    expect(refused.map(({ message }) => message)).toEqual([
      'plugin one.ts: setup: no credentials',
      "plugin two.ts: two/x_v1.0.0.ranked_by: no plugin registered a signal named 'one/s'",
    ]);
    expect(stage.registry.ids('filters')).toEqual(['three/f']);
    expect(ended).toEqual(['two']);
    await stage.hosts.close();
    expect(ended).toEqual(['two', 'three']);
  });

  test('that takes long logs warnings at intervals', async () => {
    const stage = new Stage();
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.add('slow', { setup: () => promise });
    const setting_up = stage.hosts.setUp(true);
    await stage.timers.pass(25);
    expect(stage.logged).toHaveLength(2);
    expect(stage.logged[0]).toContain('slow: the plugin is still being set up');
    resolve();
    await setting_up;
    expect(stage.timers.count).toBe(0);
  });
});

describe('setting up plugins stops when the service is told to stop', () => {
  const forever = () => new Promise<never>(() => {});
  const stop = new Error('SIGTERM');

  test.each<[string, Omit<Plugin, 'meta'>, number]>([
    ['does not return', { setup: forever }, 0],
    ['has a refresh that never ends', { setup: (host) => void host.refresh('list', 1, forever) }, 1],
  ])('by a plugin that %s', async (_, parts, times) => {
    for (const strict of [true, false]) {
      const stage = new Stage();
      const ended: string[] = [];
      const step = (name: string) => ({ dispose: () => void ended.push(name) });
      stage
        .add('before', step('before'))
        .add('stuck', { ...parts, ...step('stuck') })
        .add('after', { setup: () => void ended.push('set up') });
      const stopping = new AbortController();
      const setting_up = stage.hosts.setUp(strict, stopping.signal);
      await settled();
      stopping.abort(stop);
      expect(await setting_up.catch((reason) => reason)).toBe(stop);
      expect(ended).toEqual([...Array(times).fill('stuck'), 'before']);
      expect(stage.timers.count).toBe(0);
    }
  });

  test('before the next plugin', async () => {
    const stage = new Stage();
    const begun: string[] = [];
    const stopping = new AbortController();
    stage
      .add('one', { setup: () => stopping.abort(stop) })
      .add('two', { setup: () => void begun.push('two') });
    expect(await stage.hosts.setUp(false, stopping.signal).catch((reason) => reason)).toBe(stop);
    expect(begun).toEqual([]);
  });
});

describe('a host', () => {
  test('provides sets that match later names and can be replaced by a refresh', async () => {
    const stage = new Stage();
    let muted: Refreshed<IdSet> | undefined;
    let pinned: IdSet | undefined;
    let ids = ['known', 'late'];
    const { scene } = stage;
    scene.item('x', { author: 'known' });
    stage.add('acme', {
      setup(host) {
        muted = host.refresh('mute list', 30, () => host.user_set(ids));
        pinned = host.item_set(['x', 'y']);
      },
    });
    await stage.hosts.setUp(true);
    const author = (id: string) => scene.state.users.names.find(id);
    expect(muted?.value.has(author('known'))).toBe(true);
    expect(pinned?.has(itemOf(scene, 'x'))).toBe(true);
    scene.item('y', { author: 'late' }).item('z', { author: 'other' });
    expect(muted?.value.has(author('late'))).toBe(true);
    expect(muted?.value.has(author('other'))).toBe(false);
    expect([pinned?.has(itemOf(scene, 'y')), pinned?.has(itemOf(scene, 'z'))]).toEqual([true, false]);
    ids = ['other'];
    await stage.timers.pass(30);
    expect(muted?.value.has(author('known'))).toBe(false);
    expect(muted?.value.has(author('other'))).toBe(true);
  });

  test("logs under its plugin's name", async () => {
    const stage = new Stage();
    stage.add('acme', { setup: ({ log }) => log.info({ path: 'list.json' }, 'ready') });
    await stage.hosts.setUp(true);
    expect(stage.logged).toEqual(['acme: ready{"path":"list.json"}']);
  });

  test('can be destructured, and its logger as well', async () => {
    const stage = new Stage();
    const given: unknown[] = [];
    stage.scene.user('ann').item('x');
    const { users, items } = stage.scene.state;
    stage.add('acme', {
      setup({ refresh, user_set, item_set, user_map, item_map, log: { info, warn, error } }) {
        const list = refresh('list', 5, () => user_set(['ann']));
        given.push(() => list.value.has(users.names.find('ann')));
        given.push(() => item_set(['x']).has(items.names.find('x')));
        given.push(() => user_map([['ann', true]]).get(users.names.find('ann')));
        given.push(() => item_map([['x', true]]).get(items.names.find('x')));
        for (const say of [info, warn, error]) say('ready');
      },
    });
    expect(await stage.hosts.setUp(true)).toEqual([]);
    expect(given.map((ask) => (ask as () => unknown)())).toEqual([true, true, true, true]);
    expect(stage.logged).toEqual(Array(3).fill('acme: "ready"'));
  });

  test('does not refresh after it was closed', async () => {
    const stage = new Stage();
    let kept: PluginHost | undefined;
    stage.add('acme', {
      setup(host) {
        kept = host;
        host.refresh('list', 1, () => 1);
      },
    });
    await stage.hosts.setUp(true);
    expect(stage.timers.count).toBe(1);
    await stage.hosts.close();
    expect(stage.timers.count).toBe(0);
    expect(() => kept?.refresh('more', 1, () => 1)).toThrow('has stopped');
  });
});

describe('closing plugins', () => {
  test('disposes of each plugin once, the last first, even if one throws', async () => {
    const stage = new Stage();
    const steps: string[] = [];
    const step = (name: string) => () => void steps.push(name);
    stage
      .add('one', { dispose: step('one') })
      .add('two', { dispose: failing })
      .add('three', { dispose: step('three') });
    await stage.hosts.setUp(true);
    await stage.hosts.close();
    await stage.hosts.close();
    expect(steps).toEqual(['three', 'one']);
    expect(stage.logged).toHaveLength(1);
    expect(stage.logged[0]).toContain('two: the plugin could not be disposed of');
    expect(stage.logged[0]).toContain('no credentials');
  });

  test('disposes of a plugin once if its first refresh failed and it was left out', async () => {
    const stage = new Stage();
    let ended = 0;
    stage.add('acme', {
      setup: (host) => void host.refresh('list', 1, failing),
      dispose: () => void ended++,
    });
    expect(await stage.hosts.setUp(false)).toHaveLength(1);
    await stage.hosts.close();
    expect(ended).toBe(1);
  });

  test('does not wait forever for a plugin', async () => {
    const stage = new Stage();
    stage.add('stuck', { dispose: () => new Promise<void>(() => {}) });
    await stage.hosts.setUp(true);
    const closing = stage.hosts.close();
    await stage.timers.pass(5);
    await closing;
    expect(stage.logged[0]).toContain('it took longer than 5 s');
  });
});
