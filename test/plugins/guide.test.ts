import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compileFeed } from '../../src/feed/compile-feed.ts';
import { loadPlugins } from '../../src/registry/loader.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { builtIn } from '../support/scene.ts';
import { openTestServer, START } from '../support/service.ts';

/** What the guide for authors of plugins shows must work as it stands. */

const ROOT = resolve(import.meta.dir, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'plugins', 'README.md'), 'utf8');

/** The TypeScript examples by the name in their first line. */
const EXAMPLES = new Map(
  [...GUIDE.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]),
);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'feedloom-guide-'));
  for (const [name, code] of EXAMPLES) writeFileSync(join(folder, name), code);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function loaded(): Promise<Registry> {
  const registry = builtIn();
  expect(await loadPlugins(registry, folder, true)).toEqual([]);
  return registry;
}

describe('the guide for authors', () => {
  test('names the file of every TypeScript example', () => {
    expect([...EXAMPLES.keys()]).toEqual(['liked.ts', 'cheap.ts', 'muted.ts', 'fresh-voices.ts']);
    expect([...GUIDE.matchAll(/^```(ts|typescript|js)\b/gm)]).toHaveLength(EXAMPLES.size);
  });

  test('has examples without a type error', () => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'feedloom/plugin': [join(ROOT, 'src', 'plugin', 'index.ts')] },
        typeRoots: [join(ROOT, 'node_modules')],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const checked = Bun.spawnSync(['bunx', 'tsc', '--noEmit', '-p', join(folder, 'tsconfig.json')], {
      cwd: ROOT,
    });
    expect(checked.stdout.toString()).toBe('');
    expect(checked.exitCode).toBe(0);
  }, 60_000);

  test('has examples that load, and that feeds can name', async () => {
    const registry = await loaded();
    expect([...registry.plugins().keys()]).toHaveLength(EXAMPLES.size);
    const compiled = compileFeed(registry, 'for-you', {
      filters: { 'liked/at_least': 5, 'cheap/price_below': 9.5, 'cheap/about': 'tea' },
      scoring: { name: 'fresh/voices_v1.0.0', options: { bonus: 0.5 } },
      visibility_rules: { 'cheap/named_v1.0.0': {}, 'muted/mute_v1.0.0': {} },
    });
    expect(compiled.filters).toHaveLength(3);
  });

  test('has examples that do what they say', async () => {
    const server = await openTestServer({ settings: { plugins: folder } });
    try {
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
      expect(await ids({ visibility_rules: { 'cheap/named_v1.0.0': {} } })).toEqual([]);
      expect(await ids({ visibility_rules: { 'muted/mute_v1.0.0': {} } })).toEqual(['a', 'b']);
      expect(await ids({ user_id: 'viewer', scoring: 'fresh/voices_v1.0.0' }, 'for-you')).toEqual(['a', 'b']);
    } finally {
      await server.close();
    }
  });

  test('lists every code of a refusal', () => {
    const source = readFileSync(join(ROOT, 'src', 'registry', 'check-plugin.ts'), 'utf8');
    const codes = new Set([...source.matchAll(/'(plugin_\w+)'/g)].map(([, code]) => code));
    expect(codes.size).toBe(7);
    for (const code of codes) expect(GUIDE).toContain(`| \`${code}\``);
  });

  test('links to what is there', () => {
    const links = [...GUIDE.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
    expect(links.filter((link) => !existsSync(join(ROOT, 'plugins', link)))).toEqual([]);
  });
});
