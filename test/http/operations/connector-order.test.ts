import { describe, expect, test } from 'bun:test';
import type { ConnectorHost, ConnectorRecord } from '../../../src/plugin/index.ts';
import { START, type TestServer } from '../../support/service.ts';
import { Stage, statusOf, untilState } from './connector-stage.ts';

const EARLY = START - 5_000;
const LATE = START - 10;

const inOrder = (kind: ConnectorRecord['kind'], record: object): ConnectorRecord => ({
  kind,
  record: { ...record },
  in_order: true,
});

const post = (fields: object = {}) =>
  inOrder('item', { item_id: 'p', author_id: 'ann', created_at: EARLY, text: 'hello', ...fields });
const like = (fields: object = {}) =>
  inOrder('interaction', { user_id: 'ben', item_id: 'p', event_type: 'like', timestamp: EARLY, ...fields });
const unlike = like({ action: 'remove' });
const comment = (fields: object = {}) => like({ event_type: 'comment', event_id: 'c1', ...fields });
const follow = (fields: object = {}) =>
  inOrder('follow', { user_id: 'ben', target_user_id: 'ann', timestamp: EARLY, ...fields });

/** What is known after records that came one after another, in one emit each or in one altogether. */
async function after(
  at_once: boolean,
  records: readonly ConnectorRecord[],
  read: (server: TestServer) => Promise<unknown>,
): Promise<unknown> {
  const stage = new Stage();
  await using server = await stage.open();
  const host: ConnectorHost = await stage.nextRun();
  const parts = at_once ? [records] : records.map((record) => [record]);
  for (const [index, part] of parts.entries())
    expect(await host.emit(part, String(index))).toMatchObject({ rejected_count: 0 });
  return read(server);
}

const itemOf = async (server: TestServer) => (await server.get('/v2/farcaster/items/p')).body;
const userOf = async (server: TestServer) => (await server.get('/v2/farcaster/users/ben')).body;

describe('a record of a source that keeps its order', () => {
  const CASES: [string, ConnectorRecord[], (server: TestServer) => Promise<unknown>, object][] = [
    ['restores a like at its own time', [post(), like(), unlike, like()], itemOf, { likes_count: 1 }],
    [
      'restores a like with an earlier time',
      [post(), like({ timestamp: LATE }), unlike, like()],
      itemOf,
      { likes_count: 1 },
    ],
    [
      'takes a like back that is dated later',
      [post(), like({ timestamp: LATE }), unlike],
      itemOf,
      { likes_count: 0 },
    ],
    ['counts a like once', [post(), like(), like({ timestamp: LATE }), like()], itemOf, { likes_count: 1 }],
    ['ignores the removal of an unknown like', [post(), unlike, like()], itemOf, { likes_count: 1 }],
    [
      'restores a comment by its identifier',
      [post(), comment(), comment({ event_id: 'c2' }), comment({ action: 'remove' }), comment()],
      itemOf,
      { comments_count: 2 },
    ],
    ['restores a follow', [follow(), follow({ action: 'unfollow' }), follow()], userOf, { follows: ['ann'] }],
    ['ends a follow', [follow({ timestamp: LATE }), follow({ action: 'unfollow' })], userOf, { follows: [] }],
    [
      'brings a deleted item back with its acts',
      [post(), inOrder('item_deletion', { item_id: 'p' }), post(), like()],
      itemOf,
      { text: 'hello', likes_count: 1 },
    ],
    [
      'removes what is null',
      [post({ channel: 'tea' }), post({ channel: null, text: null })],
      itemOf,
      { text: null, channel: null },
    ],
    ['keeps what is absent', [post({ channel: 'tea' }), post()], itemOf, { channel: 'tea' }],
    ['removes an author who is null', [post(), post({ author_id: null })], itemOf, { author_id: null }],
    ['keeps an author who is absent', [post(), post({ author_id: undefined })], itemOf, { author_id: 'ann' }],
    ['needs no author', [post({ author_id: null })], itemOf, { author_id: null }],
    [
      'shows an item again in a version with an earlier time',
      [post({ hidden: true, updated_at: LATE }), post({ hidden: null, updated_at: EARLY })],
      itemOf,
      { hidden_by_network: false },
    ],
  ];
  for (const at_once of [false, true])
    test.each(CASES)(
      `%s, ${at_once ? 'in one emit' : 'in several emits'}`,
      async (_, records, read, expected) => {
        const found = (await after(at_once, records, read)) as Record<string, unknown>;
        const named = Object.fromEntries(Object.keys(expected).map((name) => [name, found[name] ?? null]));
        expect(named).toEqual({ ...expected });
      },
    );

  test('brings an erased user back', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    const user = inOrder('user', { user_id: 'ben', username: 'Ben', created_at: EARLY });
    await host.emit([user, inOrder('user_deletion', { user_id: 'ben' })], '1');
    await host.emit([user, follow()], '2');
    expect(await userOf(server)).toMatchObject({ username: 'Ben', follows: ['ann'] });
  });

  test('does not undo what a moderator hid', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit([post()], '1');
    await server.post('/v2/farcaster/items', { item_id: 'p', hidden: true });
    await host.emit([post({ hidden: null })], '2');
    expect(await itemOf(server)).toMatchObject({ hidden: true });
  });
});

test('a warning of a connector is shown until it is over, also while it runs again', async () => {
  const stage = new Stage();
  await using server = await stage.open();
  const host = await stage.nextRun();
  host.warning('log', 'the log grows');
  host.warning('table', 'a column is missing');
  host.warning('log', 'the log grows on');
  expect(await statusOf(server)).toMatchObject({ warnings: ['the log grows on', 'a column is missing'] });
  host.warning('log');
  expect(await statusOf(server)).toMatchObject({ warnings: ['a column is missing'] });
  stage.fail(host, 'broken');
  await untilState(server, 'stalled');
  await stage.timers.pass(1);
  await stage.nextRun();
  expect(await statusOf(server)).toMatchObject({ warnings: ['a column is missing'] });
});
