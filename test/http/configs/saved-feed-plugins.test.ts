import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { runService } from '../../../src/cli/run-service.ts';
import { readSettings } from '../../../src/settings.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, expectRefused, newAccount } from '../config-support.ts';
import type { Fields } from '../support.ts';

/**
 * A plugin that counts in a global how often something of it was compiled; `broken` as a filter's option
 * makes that fail.
 */
const PLUGIN = `
  import { definePlugin, Type } from 'feedloom/plugin';
  const compiled = () => { globalThis.acme_compiled = (globalThis.acme_compiled ?? 0) + 1; };
  export default definePlugin({
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    filters: {
      'acme/author': {
        summary: 'Only one author.',
        kind: 'inclusion',
        options: Type.String(),
        compile(author_id) {
          compiled();
          if (author_id === 'broken') throw new Error('a fault in the plugin');
          return (request) => { const author = request.user.find(author_id); return (item) => request.item.author(item) === author; };
        },
      },
    },
    scoring_functions: {
      'acme/oldest_v1.0.0': {
        summary: 'The oldest first.',
        options: Type.Object({ from: Type.Number({ default: 0 }) }),
        compile: ({ from }) => (request) => (item) => Math.max(0, 4e9 - from - request.item.created_at(item)),
      },
    },
    visibility_rules: {
      'acme/mute_v1.0.0': {
        summary: 'Mutes an item.',
        options: Type.Object({ item: Type.String() }),
        compile: () => () => () => true,
      },
    },
  });
`;
/** The same ids under other options: what was saved is not valid any more. */
const CHANGED = PLUGIN.replace('options: Type.String(),', 'options: Type.Array(Type.String()),');
const folder = temporaryFolder('feed-plugins');
const plugins = join(folder, 'acme.ts');
const changed = join(folder, 'changed.ts');
writeFileSync(plugins, PLUGIN);
writeFileSync(changed, CHANGED);

async function visit<T>(
  name: string,
  list: string | undefined,
  work: (account: Account, server: TestServer) => Promise<T>,
): Promise<T> {
  await using server = await openTestServer({ data: join(folder, name), settings: { plugins: list } });
  return await work(defaultAccount(server), server);
}

async function fill(server: TestServer): Promise<void> {
  const items = ['a', 'b', 'c', 'd'].map((item_id, at) => ({
    item_id,
    author_id: `author-${at % 2}`,
    created_at: START - at,
    likes_count: 10 - at,
  }));
  await server.post('/v2/farcaster/items', items);
}

const popular = 'casts/feed/popular';

/** How often the plugin's filter has been compiled since the last time somebody asked. */
function timesCompiled(): number {
  const counts = globalThis as { acme_compiled?: number };
  const times = counts.acme_compiled ?? 0;
  counts.acme_compiled = 0;
  return times;
}

test('a saved feed uses the plugins that are loaded', () =>
  visit('uses', plugins, async (account, server) => {
    await fill(server);
    const config = { filters: { 'acme/author': 'author-1' }, scoring: 'acme/oldest_v1.0.0' };
    const feed_id = await account.add({ endpoint: popular, config });
    expect(await account.page('popular', { feed_id })).toEqual(['d', 'b']);
    expect(await account.page('popular', { feed_id, filters: { 'acme/author': [] } })).toEqual([
      'd',
      'c',
      'b',
      'a',
    ]);
    for (const config of [
      { filters: { 'acme/author': 5 } },
      { scoring: { name: 'acme/oldest_v1.0.0', options: 1 } },
    ])
      expectRefused(await account.patch({ config_id: feed_id, config }), 400, 'invalid_value');
  }));

test('an empty scoring in a request is absent, and none is the default', () =>
  visit('scoring', plugins, async (account, server) => {
    await fill(server);
    const feed_id = await account.add({ endpoint: popular, config: { scoring: 'acme/oldest_v1.0.0' } });
    for (const scoring of ['', null]) {
      expect(await account.page('popular', { feed_id, scoring })).toEqual(['d', 'c', 'b', 'a']);
    }
    for (const scoring of ['none', [], 'all']) {
      expect(await account.page('popular', { feed_id, scoring })).toEqual(['a', 'b', 'c', 'd']);
    }
  }));

test('a saved feed is compiled once per config, not per request', () =>
  visit('compiled', plugins, async (account, server) => {
    await fill(server);
    timesCompiled();
    const feed_id = await account.add({
      endpoint: popular,
      config: { filters: { 'acme/author': 'author-1' } },
    });
    expect(timesCompiled()).toBe(1);
    for (const request of [
      {},
      { top_k: 1 },
      { user_id: 'v', impression_count: 1 },
      { return_metadata: true },
    ]) {
      await account.page('popular', { feed_id, ...request });
    }
    expect(timesCompiled()).toBe(0);
    for (const page_number of [1, 2, 3])
      await account.page('popular', { feed_id, page_size: 1, page_number });
    expect(timesCompiled()).toBe(1);
    await account.page('popular', { feed_id, filters: { 'acme/author': 'author-0' } });
    expect(timesCompiled()).toBe(1);
    await account.set(feed_id, { name: 'renamed' });
    expect(await account.page('popular', { feed_id })).toEqual(['b', 'd']);
    await account.page('popular', { feed_id, page_size: 1, page_number: 2 });
    expect(timesCompiled()).toBe(0);
    await account.set(feed_id, { config: { filters: { 'acme/author': 'author-0' } } });
    expect(timesCompiled()).toBe(1);
    expect(await account.page('popular', { feed_id })).toEqual(['a', 'c']);
  }));

test('why a feed cannot be built any more is shown to keys of its account alone', async () => {
  const feed_id = await visit('private', plugins, (account) =>
    account.add({
      endpoint: popular,
      visibility: 'public',
      config: { filters: { 'acme/author': 'author-1' } },
    }),
  );
  for (const [list, code, reason] of [
    [undefined, 'plugin_not_loaded', 'acme/author'],
    [changed, 'feed_outdated', '/filters/acme~1author'],
  ] as const)
    await visit('private', list, async (account, server) => {
      const own = await account.ask('popular', { feed_id });
      expectRefused(own, 409, code);
      expect(own.body.detail).toContain(reason);
      const other = await newAccount(server, 'other');
      const variants = [
        { name: 'control', feed_id: await other.add({ endpoint: popular }), percent: 50 },
        { name: 'other', feed_id, percent: 50 },
      ];
      const experiment = { name: 'x', feed_id: variants[0].feed_id, variants };
      const refused = await other.ask('popular', { feed_id });
      expectRefused(refused, 409, code);
      const answers = [refused, await server.call('POST', '/api/experiments', experiment, other.headers)];
      for (const { body } of answers)
        expect(body.detail).toContain(
          `the feed '${feed_id}' cannot be built any more; keys of its account see why`,
        );
    });
});

test('a feed with an unloaded plugin answers 409, and works when the plugin is loaded again', async () => {
  const ids = await visit('missing', plugins, async (account, server) => {
    await fill(server);
    const add = (config: Fields) => account.add({ endpoint: popular, config });
    return [
      await add({ filters: { 'acme/author': 'author-1' } }),
      await add({ scoring: { name: 'acme/oldest_v1.0.0', options: { from: 5 } } }),
      await add({ visibility_rules: { 'acme/mute_v1.0.0': { item: 'a' } } }),
      await add({ top_k: 2 }),
    ];
  });
  await visit('missing', undefined, async (account, server) => {
    const missing = ['acme/author', 'acme/oldest_v1.0.0', 'acme/mute_v1.0.0'];
    for (const [at, plugin] of missing.entries()) {
      for (const request of [{}, { user_id: 'v', impression_count: 3 }, { filters: [], scoring: 'none' }]) {
        const answer = await account.ask('popular', { feed_id: ids[at], ...request });
        expectRefused(answer, 409, 'plugin_not_loaded');
        expect(answer.body.detail).toBe(`the feed '${ids[at]}' uses ${plugin}, which is not loaded`);
      }
      expect((await account.get(ids[at])).status).toBe(200);
    }
    expect(await account.page('popular', { feed_id: ids[3] })).toEqual(['a', 'b']);
    const problems = server.service.saved_feeds.problems();
    expect(problems.map(({ code }) => code)).toEqual(Array(3).fill('plugin_not_loaded'));
    await account.set(ids[0], { config: {} });
    expect(await account.page('popular', { feed_id: ids[0] })).toHaveLength(4);
    expect((await account.remove(ids[1])).status).toBe(200);
    expect(server.service.saved_feeds.problems()).toHaveLength(1);
  });
  await visit('missing', plugins, async (account, server) => {
    expect(server.service.saved_feeds.problems()).toEqual([]);
    expect(await account.page('popular', { feed_id: ids[2] })).toHaveLength(4);
  });
});

test('a feed with an unloaded plugin can be renamed and switched off, and still answers 409', async () => {
  const config = { top_k: 3, filters: { 'acme/author': 'author-1' }, odd: 1 };
  const feed_id = await visit('unloaded', plugins, async (account, server) => {
    await fill(server);
    return account.add({ endpoint: popular, config });
  });
  await visit('unloaded', undefined, async (account, server) => {
    const expectUnloaded = async () => {
      const answer = await account.ask('popular', { feed_id });
      expectRefused(answer, 409, 'plugin_not_loaded');
      expect(answer.body.detail).toBe(`the feed '${feed_id}' uses acme/author, which is not loaded`);
    };
    expect(await account.set(feed_id, { name: 'renamed' })).toMatchObject({ name: 'renamed', config });
    await expectUnloaded();
    expect(await account.set(feed_id, { status: 'inactive' })).toMatchObject({ status: 'inactive' });
    expectRefused(await account.ask('popular', { feed_id }), 404, 'not_found');
    const { filters, odd, top_k } = config;
    const whole = { ...(await account.get(feed_id)).body.data, config: { odd, filters, top_k } };
    const { status, body } = await account.patch({ ...whole, status: 'active' }, { 'if-match': '"3"' });
    expect([status, body.data.revision]).toEqual([200, 4]);
    expect(body.warnings).toEqual(["unknown field 'config.odd' was kept, unused"]);
    await expectUnloaded();
    expect(server.service.saved_feeds.problems()).toHaveLength(1);
    for (const change of [{ config: { ...config, top_k: 2 } }, { endpoint: 'casts/feed/trending' }]) {
      const answer = await account.patch({ config_id: feed_id, ...change });
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors[0].path).toBe('/config/filters/acme~1author');
    }
    const other = await account.add({ endpoint: popular, config: { fallback_feeds: [{ feed_id }] } });
    const { body: page } = await account.ask('popular', { feed_id: other });
    expect(page.warnings).toEqual([expect.stringContaining('acme/author')]);
  });
  await visit('unloaded', plugins, async (account) => {
    expect((await account.get(feed_id)).body.data).toMatchObject({ name: 'renamed', revision: 4, config });
    expect(await account.page('popular', { feed_id })).toEqual(['b', 'd']);
  });
});

test('a start logs which feeds cannot be built, and why', async () => {
  const feed_id = await visit('reported', plugins, (account) =>
    account.add({ config: { filters: { 'acme/author': 'author-1' } } }),
  );
  const failing = join(folder, 'failing-at-start.ts');
  writeFileSync(failing, PLUGIN.replace("author_id === 'broken'", 'true'));
  const data = join(folder, 'reported');
  const warningsWith = async (plugins: string | undefined): Promise<unknown> => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(line) });
    await (await runService({ ...readSettings({}), data, port: 0, plugins }, 'test', log)).stop();
    return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  };
  expect(await warningsWith(undefined)).toMatchObject([
    { code: 'plugin_not_loaded', msg: `the feed '${feed_id}' uses acme/author, which is not loaded` },
  ]);
  const cause = ['plugin acme/author failed', 'a fault in the plugin'];
  const msg = `the feed '${feed_id}' cannot be built, because a plugin failed; the log names it`;
  expect(await warningsWith(failing)).toMatchObject([{ code: 'plugin_failed', cause, msg }]);
});

test('a feed that is no longer valid answers 409 with the reason', async () => {
  const feed_id = await visit('outdated', plugins, (account) =>
    account.add({ endpoint: popular, config: { filters: { 'acme/author': 'author-1' } } }),
  );
  await visit('outdated', changed, async (account, server) => {
    const answer = await account.ask('popular', { feed_id });
    expectRefused(answer, 409, 'feed_outdated');
    expect(answer.body.detail).toStartWith(
      `the feed '${feed_id}' is not valid any more: /config/filters/acme~1author`,
    );
    expect(server.service.saved_feeds.problems()).toHaveLength(1);
  });
});

test('a plugin that fails while a feed is saved causes a 500, is named in the log, and nothing is stored', () =>
  visit('failing', plugins, async (account, server) => {
    const answer = await account.create({ name: 'x', config: { filters: { 'acme/author': 'broken' } } });
    expectRefused(answer, 500, 'plugin_failed');
    expect(answer.body.detail).not.toContain('fault');
    expect(server.log.join()).toContain('a fault in the plugin');
    expect(await server.service.store.feeds.all()).toEqual([]);
    expect(await account.add()).toBe('feed_1');
  }));

test('a plugin that fails while feeds are loaded does not affect other feeds', async () => {
  const ids = await visit('failing-later', plugins, async (account) => [
    await account.add({ endpoint: popular, config: { filters: { 'acme/author': 'author-1' } } }),
    await account.add({ endpoint: popular }),
  ]);
  const failing = join(folder, 'failing.ts');
  writeFileSync(failing, PLUGIN.replace("author_id === 'broken'", 'true'));
  await visit('failing-later', failing, async (account) => {
    expectRefused(await account.ask('popular', { feed_id: ids[0] }), 500, 'plugin_failed');
    expect(await account.page('popular', { feed_id: ids[1] })).toEqual([]);
    await account.set(ids[0], { name: 'x' });
    expectRefused(await account.ask('popular', { feed_id: ids[0] }), 500, 'plugin_failed');
    await account.set(ids[0], { status: 'inactive' });
    expectRefused(await account.ask('popular', { feed_id: ids[0] }), 404, 'not_found');
  });
});
