import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { IngestResult } from '../../src/ingest/outcome.ts';
import { LIMITS } from '../../src/limits.ts';
import { NONE } from '../../src/model/key.ts';
import { importInto, withFolder } from '../interchange/support.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestServer, START, type TestServer, type TestServiceOptions } from '../support/service.ts';

const DAY = 86_400;
const DAYS = 10;
const AUTHORIZED = { authorization: 'Bearer test-key' };

let server: TestServer;
let rounds: Rounds;
const log: string[] = [];
const folders: string[] = [];
afterEach(async () => {
  await server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open(
  retention_days: number | undefined = DAYS,
  options: TestServiceOptions = {},
): Promise<TestServer['service']> {
  rounds = new Rounds();
  const opening = {
    retires_items: true,
    timers: rounds,
    log: pino({}, { write: (line: string) => log.push(line) }),
  };
  server = await openTestServer({ settings: { retention_days }, opening, ...options });
  return server.service;
}

const item = (item_id: string, age_days: number, more: object = {}) => ({
  item_id,
  author_id: 'ann',
  created_at: START - age_days * DAY,
  text: `about ${item_id}`,
  language: 'en',
  ...more,
});
const like = (item_id: string, age_days = 0, user_id = 'bob') => ({
  user_id,
  item_id,
  event_type: 'like',
  timestamp: START - age_days * DAY,
});

/** The names of all existing items. */
function known(): string[] {
  const { names } = server.service.state.items;
  const ids = Array.from({ length: names.size }, (_, ordinal) => names.id(ordinal));
  return ids.filter((id) => id !== '').sort();
}

async function pages(): Promise<string[]> {
  const { body } = await server.post('/v2/farcaster/casts/feed/popular', {
    user_id: 'eve',
    top_k: 100,
    impression_count: 0,
  });
  return body.body.map(({ item_id }: { item_id: string }) => item_id).sort();
}

describe('items that are older than the setting', () => {
  test('leave memory, feeds and the API at the next round, and items of exactly that age stay', async () => {
    await open();
    await server.post('/v2/farcaster/items', [
      item('older', DAYS + 0.01),
      item('as old', DAYS),
      item('new', 0),
    ]);
    await server.post('/v2/farcaster/interactions', [like('older'), like('as old')]);
    expect(known()).toEqual(['as old', 'new', 'older']);
    // Between two rounds, no page shows them either, and `explain` names the reason.
    expect(await pages()).toEqual(['as old', 'new']);
    const question = { user_id: 'bob', item_id: 'older' };
    const why = await server.post('/v2/farcaster/casts/feed/popular/explain', question);
    expect(why.body.body.dropped_by).toMatchObject({ stage: 'candidates', plugin: 'too_old' });
    await rounds.retire();
    expect(await pages()).toEqual(['as old', 'new']);
    expect(known()).toEqual(['as old', 'new']);
    expect(server.service.state.interactions.by_user.size).toBe(1);
    for (const method of ['GET', 'DELETE']) {
      expect((await server.call(method, '/v2/farcaster/items/older', undefined, AUTHORIZED)).status).toBe(
        404,
      );
    }
    const asked = { user_id: 'bob', item_id: 'older' };
    expect((await server.post('/v2/farcaster/casts/feed/popular/explain-item', asked)).status).toBe(404);
    server.clock.advance(1);
    await rounds.retire();
    expect(await pages()).toEqual(['new']);
    expect(server.service.retention?.retired).toBe(2);
  });

  test('stay if the clock was ahead once, even if records were stored then', async () => {
    await open();
    server.clock.advance(3 * DAYS * DAY);
    await server.post('/v2/farcaster/items', [item('of then', -2 * DAYS)]);
    server.clock.advance(-3 * DAYS * DAY);
    await server.post('/v2/farcaster/items', [item('fresh', 0), item('old', DAYS + 1)]);
    await rounds.retire();
    expect(known()).toEqual(['fresh', 'of then']);
  });

  test('are retired in any number, a batch at a time', async () => {
    const { state } = await open();
    const ids = Array.from({ length: LIMITS.retired_items_max + 500 }, (_, index) => `i${index}`);
    await server.post(
      '/v2/farcaster/items',
      ids.map((id) => item(id, DAYS + 1)),
    );
    await server.post('/v2/farcaster/items', [item('popular', DAYS + 2), item('new', 1)]);
    const fans = Array.from({ length: LIMITS.retired_acts_max + 1 }, (_, index) =>
      like('popular', 1, `u${index}`),
    );
    await server.post('/v2/farcaster/interactions', fans);
    const { seq } = state;
    await rounds.retire();
    expect(known()).toEqual(['new']);
    expect(state.seq - seq).toBe(3);
  });

  test('stay without the setting', async () => {
    const { retention } = await open(undefined);
    await server.post('/v2/farcaster/items', [item('ancient', 5000)]);
    await rounds.purge();
    expect(known()).toEqual(['ancient']);
    expect(retention?.retired).toBe(0);
  });

  test('are new and unseen when they are sent again', async () => {
    const { state } = await open();
    await server.post('/v2/farcaster/items', [item('again', DAYS + 1), item('other', 1)]);
    await server.post('/v2/farcaster/interactions', [
      { ...like('again'), event_type: 'view' },
      like('again'),
    ]);
    await rounds.retire();
    const text_only = await server.post('/v2/farcaster/items', [{ item_id: 'again', text: 'changed' }]);
    expect(text_only.body.rejected[0].detail).toContain('new item');
    await server.post('/v2/farcaster/items', [item('again', 1)]);
    expect(await pages()).toEqual(['again', 'other']);
    expect(state.items.likes_count(state.items.names.find('again'))).toBe(0);
    await rounds.retire();
    expect(await pages()).toEqual(['again', 'other']);
  });

  test('are still reported when a promotion names them, as deleted ones are', async () => {
    await open();
    await server.post('/v2/farcaster/items', [item('promoted', DAYS + 1), item('other', 1)]);
    await rounds.retire();
    const promoted_items = [{ item_id: 'promoted' }];
    const promotion_filters = [{ promotion_type: 'items', promotion_name: 'ours', promoted_items }];
    const { body } = await server.post('/v2/farcaster/casts/feed/popular', { top_k: 5, promotion_filters });
    expect(body.body.map(({ item_id }: { item_id: string }) => item_id)).toEqual(['other']);
    expect(body.warnings.join()).toContain("there is no item 'promoted'");
  });
});

describe('items that are dated ahead', () => {
  test('are retired by their time of arrival, also after a restart, unless they came back since', async () => {
    const data = mkdtempSync(join(tmpdir(), 'feedloom-retention-'));
    folders.push(data);
    await open(DAYS, { data });
    const ahead = [item('in 2076', -50 * 365), item('in 20 days', -20), item('deleted', -30)];
    await server.post('/v2/farcaster/items', ahead);
    server.clock.advance((DAYS - 1) * DAY);
    await server.call('DELETE', '/v2/farcaster/items/deleted', undefined, AUTHORIZED);
    server.clock.advance(DAY);
    await server.post('/v2/farcaster/items', [item('deleted', -30, { revive: true })]);
    await rounds.retire();
    expect(known()).toEqual(['deleted', 'in 20 days', 'in 2076']);
    server.clock.advance(1);
    const { clock } = server;
    await server.close();
    await open(DAYS, { data, clock });
    await rounds.retire();
    expect(known()).toEqual(['deleted']);
    // Its age counts from its return.
    clock.advance(DAYS * DAY - 1);
    await rounds.retire();
    expect(known()).toEqual(['deleted']);
    clock.advance(1);
    await rounds.retire();
    expect(known()).toEqual([]);
  });

  test('have arrived at the latest with an import', async () => {
    await withFolder({ 'items.jsonl': JSON.stringify(item('in 2076', -50 * 365)) }, async (folder) => {
      await open();
      await importInto(server, folder);
      server.clock.advance(DAYS * DAY);
      await rounds.retire();
      expect(known()).toEqual(['in 2076']);
      server.clock.advance(1);
      await rounds.retire();
      expect(known()).toEqual([]);
    });
  });
});

describe('items without content', () => {
  test('are retired when no record about them arrived for as long', async () => {
    await open();
    const old = DAYS + 5;
    await server.post('/v2/farcaster/interactions', [
      like('acted on', old),
      like('quiet', old),
      like('counted', old),
    ]);
    await server.post('/v2/farcaster/items', [item('deleted', 1), item('deleted again', 1)]);
    for (const id of ['deleted', 'deleted again'])
      await server.call('DELETE', `/v2/farcaster/items/${encodeURIComponent(id)}`, undefined, AUTHORIZED);
    // Named just now, so a description may follow.
    await rounds.retire();
    expect(known()).toEqual(['acted on', 'counted', 'deleted', 'deleted again', 'quiet']);
    server.clock.advance(DAYS * DAY - 10);
    const now = server.clock.now();
    await server.post('/v2/farcaster/interactions', [
      { ...like('acted on'), timestamp: now, user_id: 'cat' },
    ]);
    await server.post('/v2/farcaster/items', [item('deleted again', 0)]);
    await server.call('DELETE', '/v2/farcaster/items/deleted%20again', undefined, AUTHORIZED);
    server.clock.advance(20);
    await rounds.retire();
    expect(known()).toEqual(['acted on', 'deleted again']);
    server.clock.advance(DAYS * DAY);
    await rounds.retire();
    expect(known()).toEqual([]);
  });

  test('stay seen until then if they are posted again', async () => {
    await open();
    await server.post('/v2/farcaster/items', [item('back', 1)]);
    const page = { user_id: 'bob', top_k: 1, impression_count: 1 };
    expect((await server.post('/v2/farcaster/casts/feed/popular', page)).body.body).toHaveLength(1);
    await server.call('DELETE', '/v2/farcaster/items/back', undefined, AUTHORIZED);
    server.clock.advance(DAYS * DAY - 10);
    await rounds.retire();
    await server.post('/v2/farcaster/items', [item('back', 0)]);
    expect((await server.post('/v2/farcaster/casts/feed/popular', page)).body.body).toEqual([]);
  });
});

describe('a record that is sent while its item is being retired', () => {
  test('counts for a new item of that name', async () => {
    const { ingest, state, store } = await open();
    await ingest.ingest('items', [item('old', DAYS + 1), item('acted on', DAYS + 1), item('kept', 1)]);
    await ingest.ingest('interactions', [like('old')]);
    const keys = ['old', 'acted on'].map((id) => state.items.names.key(state.items.names.find(id)));
    const sent: Promise<IngestResult>[] = [];
    const submit = store.submit.bind(store);
    store.submit = (changes, ...how) => {
      const stored = submit(changes, ...how);
      if (changes[0]?.kind === 'retirement') {
        sent.push(ingest.ingest('interactions', [like('old', 0, 'cat'), like('acted on', 0, 'cat')]));
        sent.push(ingest.ingest('items', [item('old', 0, { text: 'young again' })]));
        // The item has no content that a partial record could change.
        sent.push(ingest.ingest('items', [{ item_id: 'acted on', text: 'changed' }]));
      }
      return stored;
    };
    await rounds.retire();
    expect((await Promise.all(sent)).map(({ accepted }) => accepted)).toEqual([2, 1, 0]);
    const { names } = state.items;
    expect(known()).toEqual(['acted on', 'kept', 'old']);
    expect(keys.map((key) => names.ordinal(key))).toEqual([NONE, NONE]);
    expect(state.items.described(names.find('old'))).toBe(true);
    expect([
      state.items.likes_count(names.find('old')),
      state.items.likes_count(names.find('acted on')),
    ]).toEqual([1, 1]);
    expect(await pages()).toEqual(['kept', 'old']);
  });

  test('keeps the item if it arrives before, as a new version or as an act on an item without content', async () => {
    const { ingest, state } = await open();
    await ingest.ingest('interactions', [like('heard of', 1)]);
    server.clock.advance(DAYS * DAY + 10);
    await ingest.ingest('items', [item('young', DAYS + 1)]);
    const fresh = { ...like('heard of', 0, 'cat'), timestamp: server.clock.now() };
    const sent = [
      ingest.ingest('items', [{ item_id: 'young', created_at: server.clock.now() }]),
      ingest.ingest('interactions', [fresh]),
    ];
    await Promise.all([...sent, rounds.retire()]);
    expect(known()).toEqual(['heard of', 'young']);
    expect(state.items.likes_count(state.items.names.find('heard of'))).toBe(2);
    expect(await pages()).toEqual(['young']);
  });
});

test('retired items are removed from the tables by the next purge, and a start does not find them', async () => {
  const { store } = await open();
  await server.post('/v2/farcaster/items', [item('old', DAYS + 1), item('new', 1)]);
  await server.post('/v2/farcaster/interactions', [like('old'), like('new')]);
  const page = { user_id: 'cat', top_k: 2, impression_count: 2 };
  await server.post('/v2/farcaster/casts/feed/popular', page);
  await rounds.retire();
  await rounds.purge();
  const kinds: string[] = [];
  await store.replay((change) => {
    kinds.push('id' in change ? change.id : change.kind);
  });
  expect(kinds.sort()).toEqual(['ann', 'bob', 'interaction', 'item', 'learning', 'new', 'trend']);
});

test('a failed round is logged, and the next one repeats its work', async () => {
  const { ingest } = await open();
  await ingest.ingest('items', [item('old', DAYS + 1)]);
  const { write } = ingest.queue;
  ingest.queue.write = () => Promise.reject(new Error('out of order'));
  await rounds.retire();
  expect(known()).toEqual(['old']);
  expect(log.some((line) => line.includes('could not be retired') && line.includes('out of order'))).toBe(
    true,
  );
  ingest.queue.write = write;
  await rounds.retire();
  expect(known()).toEqual([]);
});

test('the service can be stopped while items are being retired', async () => {
  const { ingest } = await open();
  await ingest.ingest(
    'items',
    Array.from({ length: 5000 }, (_, index) => item(`i${index}`, DAYS + 1)),
  );
  rounds.retire();
  await server.service.retention?.stop();
  expect(known().length).toBeLessThan(5000);
});
