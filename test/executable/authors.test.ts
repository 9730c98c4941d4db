import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEMPLATES } from '../../src/cli/plugins/templates.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { type Answer, executableInEmptyFolder, idOf, type Running, startIn } from './support.ts';

/** Third-party plugins, used with nothing but the executable. */

const EXTERNAL = join(REPOSITORY, 'test', 'plugins-external');
const IDS = {
  filters: ['acme/keywords', 'acme/verified_authors'],
  scoring_functions: ['acme/editorial_v1.0.0', 'acme/substance_v1.0.0'],
  visibility_rules: ['acme/mute_v1.0.0'],
  signals: ['acme/editors_list', 'acme/substance'],
  promotion_strategies: ['acme/every_nth_v1.0.0'],
  integrations: ['acme/outbox_v1.0.0', 'acme/token_list_v1.0.0'],
};

let folder: string;
let running: Running;

/** Runs the executable to its end. */
function command(...args: string[]): { code: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['./feedloom', ...args], { cwd: folder });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

beforeAll(async () => {
  folder = executableInEmptyFolder();
  // With a package.json the folder of all plugins would be one package.
  const filter = (from: string) => basename(from) !== 'package.json';
  for (const name of readdirSync(EXTERNAL))
    cpSync(join(EXTERNAL, name), join(folder, 'acme'), { recursive: true, filter });
  running = await startIn(folder, ['--data', 'data', '--plugins', 'acme']);
  const item = (item_id: string, author_id: string, fields: object = {}) => ({
    item_id,
    author_id,
    created_at: 1_700_000_000,
    ...fields,
  });
  const items = [
    item('plain', 'ann', { likes_count: 40 }),
    item('launch', 'bob', { likes_count: 20 }),
    item('essay', 'house', {
      likes_count: 10,
      text: 'Chess and life. '.repeat(20),
      publication_types: ['image'],
    }),
    item('shout', 'loud', { likes_count: 90, text: 'CHESS!' }),
    item('pick-1', 'ann'),
    item('pick-2', 'ann'),
  ];
  expect((await running.post('/v2/farcaster/items', items)).body).toMatchObject({ accepted: items.length });
  const users = [
    { user_id: 'house', metadata: { verified: true } },
    { user_id: 'ann', metadata: {} },
  ];
  expect((await running.post('/v2/farcaster/users', users)).body).toMatchObject({ accepted: 2 });
}, 120_000);

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function page(feed_type: string, body: object): Promise<string[]> {
  const answer = await running.post(`/v2/farcaster/casts/feed/${feed_type}`, body);
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
  return answer.body.body.map(idOf);
}

describe('nine plugins of third parties in the executable', () => {
  test('third-party plugins are listed by kind, documented, and described in the API', async () => {
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    const { body } = await running.call('GET', '/api/plugins');
    const external = body.data.filter(({ source }: Answer) => source === 'external');
    for (const [kind, ids] of Object.entries(IDS)) {
      const listed = external.filter((each: Answer) => each.kind === kind).map(({ id }: Answer) => id);
      expect(listed.toSorted()).toEqual(ids);
    }
    const { body: described } = await running.call('GET', '/swagger/json');
    const { Filters, VisibilityRules, PopularScoring, Promotion } = described.components.schemas;
    expect(Filters.properties['acme/verified_authors'].properties.or_followed.default).toBe(false);
    expect(VisibilityRules.properties).toHaveProperty(['acme/mute_v1.0.0']);
    expect(PopularScoring.anyOf[0].enum).toContain('acme/editorial_v1.0.0');
    expect(JSON.stringify(Promotion)).toContain('acme/every_nth_v1.0.0');
    const doc = command('plugins', 'doc', 'acme');
    for (const id of Object.values(IDS).flat()) expect(doc.stdout).toContain(`## \`${id}\``);
  });

  test('third-party plugins pass every check and their own tests', () => {
    const checked = command('plugins', 'check', 'acme');
    expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    for (const id of Object.values(IDS).flat()) expect(checked.stdout).toContain(id);
    const tested = command('plugins', 'test', 'acme');
    expect(tested.stderr).toContain(' 0 fail');
    expect(tested.code).toBe(0);
  });

  test('third-party plugins filter, hide and order items of pages', async () => {
    expect(await page('popular', { filters: { 'acme/verified_authors': {} } })).toEqual(['essay']);
    expect(await page('popular', { filters: { 'acme/keywords': { words: ['chess'] } } })).toEqual([
      'shout',
      'essay',
    ]);
    const muted = { visibility_rules: { 'acme/mute_v1.0.0': {} }, top_k: 3 };
    expect(await page('popular', muted)).toEqual(['plain', 'launch', 'essay']);
    expect(await page('popular', { ...muted, scoring: 'acme/editorial_v1.0.0' })).toEqual([
      'launch',
      'plain',
      'essay',
    ]);
    const substance = { scoring: { name: 'acme/substance_v1.0.0', options: { share: 1 } } };
    expect((await page('popular', substance)).slice(0, 2)).toEqual(['essay', 'shout']);
  });

  test('third-party plugins propose and promote items, and are named by explanations', async () => {
    const asked = { user_id: 'somebody', explain: true, top_k: 6 };
    const { body } = await running.post('/v2/farcaster/casts/feed/for-you', asked);
    const picked = body.body.find(({ item_id }: Answer) => item_id === 'pick-2');
    expect(picked.explain.sources).toContain('acme/editors_list');
    const steps = body.trace.stages.map(({ plugin }: Answer) => plugin);
    expect(steps).toContain('acme/editors_list');
    const promotion = {
      promotion_name: 'house',
      promotion_type: 'acme/every_nth_v1.0.0',
      promoted_items: [{ item_id: 'pick-1' }, { item_id: 'pick-2' }],
      options: { n: 2 },
    };
    const mixed = { promotion_filters: [promotion], top_k: 4 };
    expect(await page('popular', mixed)).toEqual(['shout', 'pick-1', 'plain', 'pick-2']);
    const scored = await running.post('/v2/farcaster/casts/feed/popular', {
      ...asked,
      scoring: 'acme/substance_v1.0.0',
    });
    expect(scored.body.body[0].explain.signals).toHaveProperty(['acme/substance']);
  });

  test('third-party plugins are counted in the metrics', async () => {
    for (let at = 0; at < 70; at++) await page('popular', { scoring: 'acme/substance_v1.0.0' });
    const metrics = await (await fetch(`${running.address}/metrics`)).text();
    for (const [kind, id] of [
      ['filters', 'acme/keywords'],
      ['scoring_functions', 'acme/substance_v1.0.0'],
      ['visibility_rules', 'acme/mute_v1.0.0'],
      ['candidate_sources', 'acme/editors_list'],
      ['promotion_strategies', 'acme/every_nth_v1.0.0'],
    ]) {
      expect(metrics).toContain(
        `feedloom_plugin_requests_total{community="content",kind="${kind}",plugin="${id}"}`,
      );
    }
    for (const [kind, id] of [
      ['scoring_functions', 'acme/substance_v1.0.0'],
      ['signals', 'acme/substance'],
    ]) {
      expect(metrics).toContain(
        `feedloom_plugin_sampled_seconds_total{community="content",kind="${kind}",plugin="${id}"}`,
      );
    }
  });
});

test('a saved feed whose plugin is gone is reported at the start and answers 409, and others work', async () => {
  const save = async (on: Running, config: object) => {
    const saved = await on.post('/api/feed/config', { name: 'x', endpoint: 'casts/feed/popular', config });
    return saved.body.data.config_id;
  };
  const flags = ['--data', 'gone'];
  const first = await startIn(folder, [...flags, '--plugins', 'acme']);
  const ids = [
    await save(first, { filters: { 'acme/keywords': { words: ['chess'] } } }),
    await save(first, {
      promotion_filters: [
        { promotion_name: 'p', promotion_type: 'acme/every_nth_v1.0.0', promoted_items: [] },
      ],
    }),
    await save(first, { top_k: 3 }),
  ];
  expect(await first.stop()).toBe(0);
  const second = await startIn(folder, flags);
  const ask = (feed_id: string) => second.post('/v2/farcaster/casts/feed/popular', { feed_id });
  for (const [at, id] of ['acme/keywords', 'acme/every_nth_v1.0.0'].entries()) {
    const { status, body } = await ask(ids[at]);
    expect([status, body.code]).toEqual([409, 'plugin_not_loaded']);
    expect(body.detail).toBe(`the feed '${ids[at]}' uses ${id}, which is not loaded`);
    expect(second.printed()).toContain(body.detail);
  }
  expect((await ask(ids[2])).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

describe('an author with nothing but the executable', () => {
  test('an author with only the executable creates a plugin of every kind, checks, tests and serves it', async () => {
    const kinds = Object.keys(TEMPLATES);
    mkdirSync(join(folder, 'own'));
    const inside = (...args: string[]) =>
      Bun.spawnSync(['../feedloom', 'plugins', ...args], { cwd: join(folder, 'own') });
    for (const kind of kinds) expect(inside('new', kind, `own/my-${kind}`).exitCode).toBe(0);
    expect(inside('check', '.').stdout.toString()).toMatch(/checks passed\n$/);
    expect(inside('test').exitCode).toBe(0);
    const own = await startIn(folder, ['--data', 'own-data', '--plugins', 'own']);
    const scored = await own.post('/v2/farcaster/casts/feed/for-you', {
      scoring: 'own/my-scoring_v1.0.0',
      user_id: 'v',
    });
    expect(scored.status).toBe(200);
    expect(await own.stop()).toBe(0);
  });

  test('an author with only the executable ships a plugin as a package with its dependencies', async () => {
    const modules = join(folder, 'node_modules', '@acme');
    mkdirSync(join(modules, 'halves', 'node_modules', 'half'), { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(modules, 'halves', path), text);
    write('package.json', '{"name":"@acme/halves","version":"1.0.0","exports":"./plugin.ts"}');
    write('node_modules/half/package.json', '{"name":"half","version":"1.0.0","main":"half.js"}');
    write('node_modules/half/half.js', 'export default 0.5;');
    write(
      'plugin.ts',
      `import half from 'half';
      import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
      export default definePlugin({
        meta: { name: 'halves', version: '1.0.0', api: 2 },
        scoring_functions: {
          'halves/all_v1.0.0': defineScoringFunction({ summary: 'A half.', options: Type.Object({}), compile: () => () => () => half }),
        },
      });`,
    );
    const packaged = await startIn(folder, ['--data', 'packaged', '--plugins', '@acme/halves']);
    await packaged.post('/v2/farcaster/items', [{ item_id: 'a', author_id: 'b', created_at: 1_700_000_000 }]);
    const { body } = await packaged.post('/v2/farcaster/casts/feed/popular', {
      scoring: 'halves/all_v1.0.0',
    });
    expect(body.body).toMatchObject([{ item_id: 'a', score: 0.5 }]);
    expect(await packaged.stop()).toBe(0);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    const gone = command('serve', '--port', '0', '--data', 'packaged', '--plugins', '@acme/halves');
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('[plugin_not_found]')]);
  });
});
