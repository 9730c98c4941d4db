import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';
import { type Answer, executableInEmptyFolder, idOf, type Running, startIn } from './support.ts';

const POPULAR = '/v2/farcaster/casts/feed/popular';
/** Maximum number of pages to wait for a change. A page takes a millisecond; the file is read ten times a second. */
const POLLS_MAX = 20_000;

let folder: string;
let running: Running;

/** Replaces the mute list atomically, so that it is never read half-written. */
function mute(...user_ids: string[]): void {
  writeFileSync(join(folder, 'next.json'), JSON.stringify(user_ids));
  renameSync(join(folder, 'next.json'), join(folder, 'muted.json'));
}

beforeAll(async () => {
  folder = executableInEmptyFolder();
  mkdirSync(join(folder, 'plugins'));
  for (const file of ['keywords/keywords.ts', 'mute-list/mute-list.ts']) {
    const from = join(REPOSITORY, 'test', 'plugins-external', file);
    cpSync(from, join(folder, 'plugins', file.split('/')[1]));
  }
  mute('loud');
  running = await start();
  const accepted = await running.post('/v2/farcaster/items', [
    post('chess', 'ann', 'A game of Chess, played well.', 9),
    post('chessboard', 'ann', 'My new chessboard is here.', 8),
    post('music', 'loud', 'Music at the chess club', 7),
    post('quiet', 'bob', undefined, 6),
  ]);
  expect(accepted.body).toMatchObject({ accepted: 4, rejected_count: 0 });
}, 120_000);

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(): Promise<Running> {
  const env = { ACME_MUTE_LIST: 'muted.json', ACME_MUTE_SECONDS: '0.1' };
  return startIn(folder, ['--data', 'data', '--plugins', 'plugins'], env);
}

function post(item_id: string, author_id: string, text: string | undefined, likes_count: number): object {
  return { item_id, author_id, created_at: 1_700_000_000, text, likes_count };
}

async function ids(body: object): Promise<string[]> {
  const answer = await running.post(POPULAR, body);
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
  return answer.body.body.map(idOf);
}

/** Requests pages until one is as expected. */
async function becomes(body: object, expected: string[]): Promise<void> {
  let page: string[] = [];
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    page = await ids(body);
    if (Bun.deepEquals(page, expected)) return;
  }
  expect(page).toEqual(expected);
}

const keywords = (options: object): object => ({ filters: { 'acme/keywords': options } });
const MUTED = { visibility_rules: { 'acme/mute_v1.0.0': {} } };

describe('a filter over texts', () => {
  test('a filter over texts keeps and drops whole words in any case', async () => {
    expect(await ids({})).toEqual(['chess', 'chessboard', 'music', 'quiet']);
    expect(await ids(keywords({ words: ['CHESS'] }))).toEqual(['chess', 'music']);
    expect(await ids(keywords({ words: ['chess'], mode: 'drop' }))).toEqual(['chessboard', 'quiet']);
    expect(await ids(keywords({ words: ['chessboard', 'music'] }))).toEqual(['chessboard', 'music']);
    expect(await ids(keywords({ words: ['well.'] }))).toEqual(['chess']);
  });

  test('a filter over texts has its options checked, in a request and in a saved feed', async () => {
    const wrong: [object, string][] = [
      [{ words: [] }, '/filters/acme~1keywords/words'],
      [{ words: ['fine', 5] }, '/filters/acme~1keywords/words/1'],
      [{ words: ['fine'], mode: 'hide' }, '/filters/acme~1keywords/mode'],
      [{ words: ['fine'], word: 'x' }, '/filters/acme~1keywords/word'],
      [{}, '/filters/acme~1keywords/words'],
    ];
    for (const [options, path] of wrong) {
      const asked = await running.post(POPULAR, keywords(options));
      expect([asked.status, asked.body.errors[0].path]).toEqual([400, path]);
      const saved = await running.post('/api/feed/config', { name: 'wrong', config: keywords(options) });
      expect([saved.status, saved.body.errors[0].path]).toEqual([400, `/config${path}`]);
    }
  });

  test('a filter over texts works in a saved feed, and for old items after a restart', async () => {
    const saved = await running.post('/api/feed/config', {
      name: 'Chess',
      endpoint: 'casts/feed/popular',
      config: { ...keywords({ words: ['chess'] }), ...MUTED },
    });
    expect(saved.status).toBe(201);
    const { config_id } = saved.body.data;
    expect(await ids({ feed_id: config_id })).toEqual(['chess']);
    expect(await running.stop()).toBe(0);
    running = await start();
    expect(await ids({ feed_id: config_id })).toEqual(['chess']);
    expect(await ids({ feed_id: config_id, ...keywords({ words: ['chessboard'] }) })).toEqual(['chessboard']);
  });
});

describe('a rule that is refreshed', () => {
  test('a refreshed rule follows a file that changes, also for users who appear later', async () => {
    expect(await ids(MUTED)).toEqual(['chess', 'chessboard', 'quiet']);
    mute('loud', 'bob', 'late');
    await becomes(MUTED, ['chess', 'chessboard']);
    await running.post('/v2/farcaster/items', [post('newcomer', 'late', 'Hello', 50)]);
    expect(await ids(MUTED)).toEqual(['chess', 'chessboard']);
    expect(await ids({})).toContain('newcomer');
    mute('ann');
    await becomes(MUTED, ['newcomer', 'music', 'quiet']);
  });

  test('a refreshed rule keeps the last list while the file is broken, and logs that', async () => {
    mute('ann');
    await becomes(MUTED, ['newcomer', 'music', 'quiet']);
    writeFileSync(join(folder, 'muted.json'), '{"not": "a list"}');
    for (let poll = 0; poll < POLLS_MAX && !running.printed().includes('could not be refreshed'); poll++) {
      expect(await ids(MUTED)).toEqual(['newcomer', 'music', 'quiet']);
    }
    const line = running
      .printed()
      .split('\n')
      .find((each) => each.includes('could not be refreshed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ plugin: 'acme', refresh: 'mute list' });
    mute('loud');
    await becomes(MUTED, ['newcomer', 'chess', 'chessboard', 'quiet']);
  });

  test('a refreshed rule takes no options', async () => {
    const { status, body } = await running.post(POPULAR, {
      visibility_rules: { 'acme/mute_v1.0.0': { x: 1 } },
    });
    expect([status, body.errors[0].path]).toEqual([400, '/visibility_rules/acme~1mute_v1.0.0/x']);
  });

  test('a refreshed rule prevents the start if there is no list at all', () => {
    const env = { ACME_MUTE_LIST: 'missing.json' };
    const flags = ['--port', '0', '--data', 'refused', '--plugins', 'plugins'];
    const refused = Bun.spawnSync(['./feedloom', 'serve', ...flags], { cwd: folder, env });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr.toString()).toContain('plugin_threw_on_load');
    expect(refused.stderr.toString()).toContain('mute-list.ts');
  });
});

test('both external plugins are listed, and described in the API', async () => {
  const { body } = await running.call('GET', '/api/plugins');
  const external = body.data.filter(({ source }: Answer) => source === 'external');
  expect(external.map(({ id, kind }: Answer) => [id, kind])).toEqual([
    ['acme/keywords', 'filters'],
    ['acme/mute_v1.0.0', 'visibility_rules'],
  ]);
  const { body: described } = await running.call('GET', '/swagger/json');
  const { Filters, VisibilityRules } = described.components.schemas;
  expect(Filters.properties['acme/keywords'].properties.words.type).toBe('array');
  expect(VisibilityRules.properties['acme/mute_v1.0.0'].description).toBe('Drops items of muted authors.');
});
