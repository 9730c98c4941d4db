import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SQL } from 'bun';
import { TEMPLATES } from '../../src/cli/plugins/templates.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Metadata } from '../../src/plugin/index.ts';
import { loadPlugins } from '../../src/registry/loader.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { SAMPLE_EVERY } from '../../src/serve/plugin-timing.ts';
import { runIn } from '../cli/run.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtIn } from '../support/scene.ts';
import { openTestServer, START } from '../support/service.ts';
import { runTool } from '../support/tools.ts';
import { EXAMPLES, GUIDE } from './guide-examples.ts';

/** The plugins in the guide work as they stand. */

const ROOT = resolve(import.meta.dir, '..', '..');

const folder = temporaryFolder('guide');
for (const [name, code] of EXAMPLES) writeFileSync(join(folder, name), code);

async function loaded(): Promise<Registry> {
  const registry = builtIn();
  expect(await loadPlugins(registry, [folder], true)).toEqual([]);
  return registry;
}

/** Symbols by token. */
async function provide(
  provider: (item_ids: readonly string[]) => Promise<Metadata[]>,
  ...item_ids: string[]
): Promise<(string | undefined)[]> {
  return (await provider(item_ids)).map((known) => ('symbol' in known ? known.symbol : undefined));
}

describe('the guide for plugin authors', () => {
  test('names the file of every TypeScript example', () => {
    expect([...EXAMPLES.keys()]).toContain('liked.ts');
    expect([...GUIDE.matchAll(/^```(ts|typescript|js)\b/gm)]).toHaveLength(EXAMPLES.size);
  });

  test('has examples without a type error', () => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths: {
          'feedloom/plugin': [join(ROOT, 'src', 'plugin', 'index.ts')],
          'feedloom/plugin/testing': [join(ROOT, 'src', 'kit', 'index.ts')],
        },
        typeRoots: [join(ROOT, 'node_modules')],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(runTool(['tsc', '--noEmit', '-p', join(folder, 'tsconfig.json')])).toBe('');
  });

  test('has examples that load, and that feeds can name', async () => {
    const registry = await loaded();
    const plugins = [...EXAMPLES.keys()].filter((name) => !name.endsWith('.test.ts'));
    expect(registry.plugins().size).toBe(plugins.length);
    const provider = registry.integrations('describe').get('names/list_v1.0.0')!.extension.describe({});
    const known = 'base.0x4200000000000000000000000000000000000006';
    expect(await provide(provider, 'base.0x0', known)).toEqual([undefined, 'WETH']);
    const compiled = compileFeed(registry, 'for-you', {
      filters: { 'liked/at_least': 5, 'cheap/price_below': 9.5, 'cheap/about': 'tea' },
      scoring: { name: 'fresh/voices_v1.0.0', options: { bonus: 0.5 } },
      visibility_rules: { 'named/authors_v1.0.0': {}, 'muted/mute_v1.0.0': {} },
    });
    expect(compiled.filters).toHaveLength(3);
  });

  test('has examples that behave as described', async () => {
    await using server = await openTestServer({ settings: { plugins: folder } });
    const item = (item_id: string, text: string, price: number) => {
      const described = { item_id, author_id: 'ann', created_at: START, text };
      return { ...described, likes_count: price, metadata: { shop: { price } } };
    };
    await server.post('/v2/farcaster/items', [item('a', 'Green tea', 3), item('b', 'Black TEA', 30)]);
    const ids = async (body: object, feed = 'popular') => {
      const { body: answer } = await server.post(`/v2/farcaster/casts/feed/${feed}`, body);
      return answer.body.map(({ item_id }: { item_id: string }) => item_id).sort();
    };
    expect(await ids({ filters: { 'liked/at_least': 5 } })).toEqual(['b']);
    expect(await ids({ filters: { 'cheap/price_below': 5 } })).toEqual(['a']);
    expect(await ids({ filters: { 'cheap/about': 'tea' } })).toEqual(['a', 'b']);
    expect(await ids({ filters: { 'by-author/only': 'ann' } })).toEqual(['a', 'b']);
    expect(await ids({ filters: { 'by-author/only': 'ben' } })).toEqual([]);
    expect(await ids({ visibility_rules: { 'named/authors_v1.0.0': {} } })).toEqual([]);
    expect(await ids({ visibility_rules: { 'muted/mute_v1.0.0': {} } })).toEqual(['a', 'b']);
    expect(await ids({ user_id: 'viewer', scoring: 'fresh/voices_v1.0.0' }, 'for-you')).toEqual(['a', 'b']);
    // A user who likes a goes on to b. The item a itself is not shown again.
    const like = (user_id: string, item_id: string) => ({ user_id, item_id, event_type: 'like' });
    await server.post('/v2/farcaster/interactions', [
      like('carl', 'a'),
      like('carl', 'b'),
      like('viewer', 'a'),
    ]);
    const { body } = await server.post('/v2/farcaster/casts/feed/for-you', {
      user_id: 'viewer',
      scoring: 'brisk/mood_v1.0.0',
      explain: true,
    });
    expect(body.body.map(({ item_id }: { item_id: string }) => item_id)).toEqual(['b']);
    const [{ explain }] = body.body;
    expect(explain.sources).toContain('brisk/mood');
    expect(explain.sources).not.toContain('walk');
    expect(explain.signals).toMatchObject({ 'brisk/mood': 1, dislike: 0 });
  });

  test('has an example that reads tables of another database', async () => {
    const url = `sqlite://${join(folder, 'shop.sqlite')}`;
    const shop = new SQL(url);
    await shop`create table staff_picks (post_id text)`;
    await shop`create table wishes (member_id text, post_id text)`;
    await shop`insert into staff_picks values ('a')`;
    await shop`insert into wishes values ('vera', 'b')`;
    await shop.close();
    process.env.SHOP_DATABASE_URL = url;
    try {
      await using server = await openTestServer({ settings: { plugins: join(folder, 'shop.ts') } });
      const items = ['a', 'b', 'c'].map((item_id) => ({ item_id, author_id: 'ann', created_at: START }));
      await server.post('/v2/community/items', items);
      await server.post('/v2/community/users', [{ user_id: 'vera' }]);
      const ids = async (feed: string, body: object) => {
        const { body: answer } = await server.post(`/v2/community/feeds/${feed}`, body);
        return answer.body.map(({ item_id }: { item_id: string }) => item_id);
      };
      expect(await ids('popular', { filters: { 'shop/picked': {} } })).toEqual(['a']);
      const [first] = await ids('for-you', { user_id: 'vera', scoring: 'shop/wishes_v1.0.0' });
      expect(first).toBe('b');
    } finally {
      delete process.env.SHOP_DATABASE_URL;
    }
  });

  test('has examples that pass every check and their own tests', async () => {
    const checked = await runIn(folder, 'plugins', 'check', '.');
    expect(checked.stdout).not.toContain('FAIL');
    expect(checked.code).toBe(0);
    const tested = await runIn(folder, 'plugins', 'test');
    expect(tested.stderr).toContain(' 0 fail');
    expect(tested.code).toBe(0);
  });

  test('names only existing commands', async () => {
    const { stdout } = await runIn(folder, 'plugins', '--help');
    const named = new Set([...GUIDE.matchAll(/feedloom\s+plugins (\w+)/g)].map(([, command]) => command));
    expect([...named].sort()).toEqual(['check', 'doc', 'list', 'new', 'test', 'types']);
    for (const command of named) expect(stdout).toMatch(new RegExp(`^ +${command} `, 'm'));
    for (const kind of Object.keys(TEMPLATES)) expect(GUIDE).toContain(`\`${kind}\``);
    for (const name of Object.keys(await import('feedloom/plugin/testing'))) {
      if (name.startsWith('test')) expect(GUIDE).toContain(`\`${name}\``);
    }
  });

  test('states the current limits', () => {
    expect(GUIDE).toContain(`More than ${LIMITS.plugin_budget_ms} ms for one page`);
    expect(GUIDE).toContain(`One page in ${SAMPLE_EVERY} is timed`);
    expect(LIMITS.plugin_warning_seconds).toBe(60);
  });

  test('lists every error code of plugins', () => {
    const source = readFileSync(join(ROOT, 'src', 'registry', 'refused-plugin.ts'), 'utf8');
    const codes = new Set([...source.matchAll(/'(plugin_\w+)'/g)].map(([, code]) => code));
    expect(codes.size).toBe(7);
    for (const code of codes) expect(GUIDE).toContain(`| \`${code}\``);
  });
});
