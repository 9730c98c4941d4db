import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { longTest } from '../support/long.ts';
import { type Answer, executableInEmptyFolder, idOf, type Running, startIn } from './support.ts';

/** A third-party plugin, written without access to the sources. */
const PLUGIN = `
import { definePlugin, defineFilter, defineScoringFunction, defineVisibilityRule, NONE, Type } from 'feedloom/plugin';

const longest = (n: number) => n / (n + 1);

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  filters: {
    'acme/liked': defineFilter({
      summary: 'Only items with a minimum number of likes.',
      kind: 'inclusion',
      options: Type.Object({ at_least: Type.Integer({ minimum: 0 }) }),
      compile: ({ at_least }) => (request) => (item) => request.item.likes_count(item) >= at_least,
    }),
  },
  scoring_functions: {
    'acme/oldest_v1.0.0': defineScoringFunction({
      summary: 'The oldest first.',
      options: Type.Object({}),
      compile: () => (request) => (item) => longest(request.now - request.item.created_at(item)),
    }),
  },
  visibility_rules: {
    'acme/no_strangers_v1.0.0': defineVisibilityRule({
      summary: 'Only items of known authors.',
      options: Type.Object({}),
      compile: () => (request) => (item) => request.item.author(item) !== NONE,
    }),
  },
});
`;

let folder: string;

beforeAll(() => {
  folder = executableInEmptyFolder();
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an executable has no path of the machine that built it, so that others can build the same', () => {
  expect(readFileSync(join(folder, 'feedloom')).indexOf(REPOSITORY)).toBe(-1);
});

const start = (...flags: string[]): Promise<Running> => startIn(folder, flags);

const ITEMS = [
  { item_id: 'old', author_id: '1', created_at: 1_700_000_000, likes_count: 1 },
  {
    item_id: 'new',
    author_id: '1',
    created_at: 1_710_000_000,
    likes_count: 9,
    text: 'A long enough text in plain English words.',
  },
];

test('the commands of the README install their dependencies in a fresh clone', () => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const named = new Set([...readme.matchAll(/\bbun@[\d.]+ run (\w+)/g)].map(([, script]) => script));
  expect([...named].sort()).toEqual(['build', 'demo', 'test']);
  for (const script of named) expect(scripts[script]).toStartWith('bun install --frozen-lockfile && ');
});

describe('the executable alone in an empty folder', () => {
  test('the executable serves a feed, and serves it again after a restart', async () => {
    const first = await start('--data', 'restarted');
    expect((await first.post('/v2/farcaster/items', ITEMS)).body).toMatchObject({
      accepted: 2,
      rejected_count: 0,
    });
    const page = await first.post('/v2/farcaster/casts/feed/popular', { return_metadata: true });
    expect(page.body.body.map(idOf)).toEqual(['new', 'old']);
    expect(page.body.body[0].metadata.language).toBe('en');
    expect(await first.stop()).toBe(0);
    const second = await start('--data', 'restarted');
    const again = await second.post('/v2/farcaster/casts/feed/popular', { return_metadata: true });
    expect(again.body.body.map(({ metadata }: Answer) => metadata)).toEqual(
      page.body.body.map(({ metadata }: Answer) => metadata),
    );
    expect(await second.stop()).toBe(0);
  });

  test('the executable writes checkpoints, and starts from them and from a backup made while it ran', async () => {
    const env = { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' };
    const running = await startIn(folder, ['--data', 'checkpointed'], env);
    await running.post('/v2/farcaster/items', ITEMS);
    while (!running.printed().includes('checkpoint written')) await Bun.sleep(5);
    const backup = ['./feedloom', 'backup', 'backed-up/feedloom.sqlite', '--data', 'checkpointed'];
    const { exitCode, stderr } = Bun.spawnSync(backup, { cwd: folder, env: environment() });
    expect([exitCode, stderr.toString()]).toEqual([0, '']);
    expect(await running.stop()).toBe(0);
    for (const [data, is_used] of [
      ['checkpointed', true],
      ['backed-up', false],
    ] as const) {
      const again = await start('--data', data);
      const { body } = await again.post('/v2/farcaster/casts/feed/popular', {});
      expect(body.body.map(idOf)).toEqual(['new', 'old']);
      const line = again
        .printed()
        .split('\n')
        .find((each) => each.includes('listening on'))!;
      expect(JSON.parse(line).checkpoint_seq > 0).toBe(is_used);
      expect(again.printed()).not.toContain('cannot be used');
      expect(await again.stop()).toBe(0);
    }
  });

  longTest(
    'the executable reads large data with a worker thread',
    async () => {
      const follows = 310_000;
      const lines = Array.from({ length: follows }, (_, at) => `${at % 500},${500 + Math.floor(at / 500)}`);
      mkdirSync(join(folder, 'much'));
      writeFileSync(join(folder, 'much', 'follows.csv'), ['user_id,target_user_id', ...lines, ''].join('\n'));
      const run = (...args: string[]) =>
        Bun.spawnSync(['./feedloom', ...args], { cwd: folder, env: environment() });
      expect(run('import', 'much', '--data', 'large').exitCode).toBe(0);
      const exported = run('export', 'much-again', '--data', 'large');
      expect([exported.exitCode, exported.stderr.toString()]).toEqual([0, '']);
      const text = readFileSync(join(folder, 'much-again', 'follows.csv'), 'utf8');
      expect(text.trimEnd().split('\n')).toHaveLength(1 + follows);
    },
    60_000,
  );

  test('the executable runs a third-party filter, scoring function and visibility rule from a file', async () => {
    writeFileSync(join(folder, 'acme.ts'), PLUGIN);
    const running = await start('--data', 'with-plugin', '--plugins', 'acme.ts');
    await running.post('/v2/farcaster/items', ITEMS);
    const ids = async (body: object) => {
      const answer = await running.post('/v2/farcaster/casts/feed/popular', body);
      return answer.status === 200 ? answer.body.body.map(idOf) : answer.body.detail;
    };
    expect(await ids({ scoring: 'acme/oldest_v1.0.0' })).toEqual(['old', 'new']);
    expect(await ids({ filters: { 'acme/liked': { at_least: 5 } } })).toEqual(['new']);
    expect(await ids({ filters: { 'acme/liked': { at_least: -5 } } })).toContain(
      '/filters/acme~1liked/at_least',
    );
    expect(await ids({ visibility_rules: { 'acme/no_strangers_v1.0.0': {} } })).toEqual(['new', 'old']);
    expect(await running.stop()).toBe(0);
  });

  test('the executable refuses to start with a broken plugin and names it, unless it may be left out', async () => {
    writeFileSync(join(folder, 'broken.ts'), 'export default 5;');
    const refused = Bun.spawnSync(
      ['./feedloom', 'serve', '--port', '0', '--data', 'broken', '--plugins', 'broken.ts'],
      { cwd: folder },
    );
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr.toString()).toContain('plugin_malformed');
    expect(refused.stderr.toString()).toContain('broken.ts');
    const running = await start('--data', 'broken', '--plugins', 'broken.ts', '--plugins-strict', 'false');
    const { refused_plugins } = (await (await fetch(`${running.address}/readyz`)).json()) as Answer;
    expect(refused_plugins).toEqual([{ code: 'plugin_malformed', plugin: 'broken.ts' }]);
    expect(await running.stop()).toBe(0);
  });

  test('the executable is not larger than 140 MB, and contains the pages of its API and its documents', async () => {
    expect(statSync(join(folder, 'feedloom')).size).toBeLessThanOrEqual(140_000_000);
    const running = await start('--data', 'pages');
    const get = (path: string) => fetch(running.address + path);
    expect(await (await get('/swagger')).text()).toContain('<title>Feedloom API</title>');
    expect((await get('/swagger/swagger-ui.css')).headers.get('content-type')).toStartWith('text/css');
    expect(await (await get('/swagger/swagger-ui-bundle.js')).text()).toContain('SwaggerUIBundle');
    expect(await (await get('/swagger/json')).json()).toHaveProperty('openapi', '3.1.0');
    expect(await (await get('/docs')).text()).toContain('<a href="docs/operations">Operations</a>');
    expect(await (await get('/docs/site.js')).text()).toContain('sections.json');
    expect((await get('/docs/site.css')).headers.get('content-type')).toStartWith('text/css');
    expect(await (await get('/docs/operations')).text()).toContain('<h2 id="settings">');
    expect(await (await get('/docs/architecture.svg')).text()).toContain('<svg ');
    expect(await (await get('/metrics')).text()).toContain(
      'feedloom_event_loop_lag_seconds{statistic="max"}',
    );
    expect(await running.stop()).toBe(0);
  });

  test('the executable prints the description of its API without any data', () => {
    const printed = Bun.spawnSync(['./feedloom', 'openapi'], { cwd: folder, env: environment() });
    expect(printed.exitCode).toBe(0);
    const committed = readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8');
    expect(printed.stdout.toString() === committed).toBe(true);
  });

  test('the executable ignores a bunfig.toml and a .env in its working folder', async () => {
    writeFileSync(join(folder, '.env'), 'FEEDLOOM_NETWORK=elsewhere\n');
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n');
    const running = await start('--data', 'untouched');
    expect((await running.post('/v2/farcaster/casts/feed/popular', {})).status).toBe(200);
    expect(await running.stop()).toBe(0);
  });

  test('the executable creates a key while the service runs, which then accepts it', async () => {
    const running = await start('--data', 'keys');
    const created = Bun.spawnSync(
      ['./feedloom', 'keys', 'create', '--account', 'me', '--scope', 'feed:read', '--data', 'keys'],
      { cwd: folder },
    );
    const key = created.stdout.toString().trim();
    expect(key).toMatch(/^fl_[\w-]{43}$/);
    let status = 401;
    while (status === 401) {
      const response = await fetch(`${running.address}/v2/farcaster/casts/feed/popular`, {
        method: 'POST',
        headers: { 'x-api-key': key },
      });
      status = response.status;
    }
    expect(status).toBe(200);
    expect(await running.stop()).toBe(0);
  });
});
