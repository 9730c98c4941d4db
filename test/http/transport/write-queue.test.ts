import { expect, test } from 'bun:test';
import { testsWith } from '../../support/fixture.ts';
import { START } from '../../support/service.ts';
import { ingestPath, openCommunity } from '../support.ts';

const it = testsWith(() => openCommunity(SETTINGS));

const SETTINGS = { settings: { write_queue: 15 } };

function users(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ user_id: `user-${from + at}` }));
}

it('a full write queue answers 503 with Retry-After, and accepts the same records later', async (community) => {
  const post = (body: unknown) => community.server.post(ingestPath('users'), body);
  const first = post(users(0, 10));
  const others = await Promise.all([post(users(10, 10)), post(users(20, 10)), post(users(30, 10))]);
  for (const { status, headers, body } of others) {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ code: 'write_queue_full', status: 503 });
  }
  expect((await first).body.accepted).toBe(10);
  for (const from of [10, 20, 30]) expect((await post(users(from, 10))).body.accepted).toBe(10);
  for (const user of [0, 19, 39]) expect(await community.stored('users', `user-${user}`)).toBeDefined();
});

test('the write queue counts records, not the changes stored for them', async () => {
  await using community = await openCommunity({ settings: { write_queue: 5 } });
  // Each gives a user and an item their names.
  const likes = Array.from({ length: 8 }, (_, at) => ({
    user_id: `fan-${at}`,
    item_id: `unseen-${at}`,
    event_type: 'like',
  }));
  const send = (record: object) => community.server.post(ingestPath('interactions'), record);
  const answers = await Promise.all(likes.map(send));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
  expect((await Promise.all(likes.slice(0, 5).map(send))).map(({ status }) => status)).toEqual(
    Array(5).fill(200),
  );
});

it('a full write queue also delays follows and deletions, but no page that is recorded', async (community) => {
  await community.addItem('item');
  const { server } = community;
  const { store } = server.service;
  Object.defineProperty(store, 'queued_records', { get: () => 15, configurable: true });
  const answers = await Promise.all([
    server.post(ingestPath('follows'), { user_id: 'a', target_user_id: 'b' }),
    server.remove(`${ingestPath('items')}/item`),
    server.remove(`${ingestPath('users')}/author`),
    community.ask('popular', { user_id: 'viewer', impression_count: 1 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
  expect(await community.ids('popular', { user_id: 'viewer' })).toEqual([]);
  Reflect.deleteProperty(store, 'queued_records');
  await community.follow('a', 'b');
  await community.remove('items', 'item');
});

it('a body larger than the queue is accepted in slices', async (community) => {
  const items = Array.from({ length: 1_700 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at}`,
    created_at: START,
    likes_count: at,
  }));
  const { status, body } = await community.server.post(ingestPath('items'), items);
  expect([status, body.accepted]).toEqual([200, 1_700]);
  expect(await community.ids('popular', { top_k: 2 })).toEqual(['item-1699', 'item-1698']);
});

test('a queue of one record accepts bodies of any size one after another', async () => {
  await using community = await openCommunity({ settings: { write_queue: 1 } });
  const post = (body: unknown) => community.server.post(ingestPath('users'), body);
  const [first, second] = await Promise.all([post(users(0, 600)), post(users(600, 1))]);
  expect([first.status, second.status].sort()).toEqual([200, 503]);
  for (const body of [users(0, 600), users(600, 1)]) expect((await post(body)).status).toBe(200);
  expect(await community.stored('users', 'user-599')).toBeDefined();
  await community.addItem('item');
  expect(await community.ids('popular', { user_id: 'user-1', impression_count: 1 })).toEqual(['item']);
  expect(await community.ids('popular', { user_id: 'user-1' })).toEqual([]);
  await community.remove('users', 'user-1');
});

test('a refused record uses up no key', async () => {
  await using community = await openCommunity({ settings: { write_queue: 5 } });
  const like = (at: number) => ({ user_id: `fan-${at}`, item_id: `item-${at}`, event_type: 'like' });
  const likes = Array.from({ length: 12 }, (_, at) => like(at));
  const answers = await Promise.all(
    likes.map((record) => community.server.post(ingestPath('interactions'), record)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const record of likes) await community.add('interactions', record);
  for (let at = 0; at < 12; at++) {
    await community.addItem(`item-${at}`);
    expect((await community.stored('items', `item-${at}`))?.likes_count).toBe(1);
    expect(await community.ids('popular', { user_id: `fan-${at}` })).not.toContain(`item-${at}`);
  }
});
