import { describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseFollowListRecord } from '../../../src/model/records/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { checkAsync } from '../../support/long.ts';
import { emptyDatabase } from '../../support/prepared-data.ts';
import {
  openTestServer,
  START,
  type TestAnswer,
  type TestServer,
  type TestServiceOptions,
} from '../../support/service.ts';
import {
  type Community,
  type Fields,
  holdWrites,
  ingestPath,
  testCommunity as it,
  KEY,
  openCommunity,
} from '../support.ts';

const USERS = ingestPath('users');

const folder = temporaryFolder('follow-lists');

function put({ server }: { server: TestServer }, user_id: string, body: unknown): Promise<TestAnswer> {
  return server.call('PUT', `${USERS}/${encodeURIComponent(user_id)}/follows`, body, KEY);
}

/** Puts a list, which must be accepted, and returns what it changed. */
async function list(
  community: Community,
  user_id: string,
  ids: unknown[],
  fields: Fields = {},
): Promise<unknown> {
  const { status, body } = await put(community, user_id, { target_user_ids: ids, ...fields });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  const { status: word, ...changed } = body;
  expect(word).toBe('success');
  return changed;
}

async function followed(community: Community, user_id: string): Promise<string[]> {
  const stored = await community.stored('users', user_id);
  return ((stored?.follows ?? []) as string[]).toSorted();
}

describe('PUT follows', () => {
  it('a list replaces the follows of a user and reports the numbers of added and removed users', async (community) => {
    expect(await list(community, 'viewer', ['a', 'b'])).toEqual({ added: 2, removed: 0 });
    community.server.clock.advance(1);
    expect(await list(community, 'viewer', ['b', 'c', 'd'])).toEqual({ added: 2, removed: 1 });
    expect(await followed(community, 'viewer')).toEqual(['b', 'c', 'd']);
    community.server.clock.advance(1);
    expect(await list(community, 'viewer', [])).toEqual({ added: 0, removed: 3 });
    expect(await followed(community, 'viewer')).toEqual([]);
  });

  it('a list takes effect on the next page of its user', async (community) => {
    for (const author of ['a', 'b']) await community.addItem(`by ${author}`, { author_id: author });
    const ids = () => community.ids('popular', { user_id: 'viewer', filters: { author_ids: 'following' } });
    await list(community, 'viewer', ['a']);
    expect(await ids()).toEqual(['by a']);
    community.server.clock.advance(1);
    await list(community, 'viewer', ['b']);
    expect(await ids()).toEqual(['by b']);
  });

  it('a list counts an identifier once, accepts integers, and skips the user itself with a warning', async (community) => {
    const changed = await list(community, '7', [5, '5', 7, 'x', 'x']);
    expect(changed).toEqual({
      added: 2,
      removed: 0,
      warnings: ['target_user_ids: the user itself was left out'],
    });
    expect(await followed(community, '7')).toEqual(['5', 'x']);
  });

  it('the query names the user if a path cannot carry the identifier', async (community) => {
    const { call } = community.server;
    const body = { target_user_ids: ['a'] };
    const answer = await call('PUT', `${USERS}/follows?user_id=..`, body, KEY);
    expect([answer.status, answer.body]).toEqual([200, { status: 'success', added: 1, removed: 0 }]);
    const stored = await call('GET', `${USERS}?user_id=..`, undefined, KEY);
    expect(stored.body.follows).toEqual(['a']);
    expect((await call('PUT', `${USERS}/follows`, body, KEY)).body.detail).toContain(
      '/user_id: must be given once in the query',
    );
  });

  it('a list does not change follows and unfollows of a later time', async (community) => {
    await community.follow('viewer', 'later', { timestamp: START - 5 });
    await community.follow('viewer', 'gone later', { action: 'unfollow', timestamp: START - 5 });
    await community.follow('viewer', 'earlier', { timestamp: START - 20 });
    const changed = await list(community, 'viewer', ['gone later', 'new'], { timestamp: START - 10 });
    expect(changed).toEqual({ added: 1, removed: 1 });
    expect(await followed(community, 'viewer')).toEqual(['later', 'new']);
  });

  it('a list invalidates older follows that arrive later, also of unknown users', async (community) => {
    await list(community, 'viewer', ['a'], { timestamp: START - 10 });
    await community.follow('viewer', 'b', { timestamp: START - 11 });
    await community.follow('viewer', 'a', { action: 'unfollow', timestamp: START - 11 });
    expect(await list(community, 'viewer', ['c'], { timestamp: START - 11 })).toEqual({
      added: 0,
      removed: 0,
      warnings: ['timestamp: a later list of this user is known; this one changed nothing'],
    });
    expect(await followed(community, 'viewer')).toEqual(['a']);
    await community.follow('viewer', 'b', { timestamp: START - 9 });
    expect(await followed(community, 'viewer')).toEqual(['a', 'b']);
  });

  it('a list that is sent again changes and stores nothing', async (community) => {
    const lists: Fields[] = [{}, { timestamp: START - 5 }];
    for (const [at, fields] of lists.entries()) {
      await list(community, `viewer ${at}`, ['a', 'b'], fields);
      const { seq } = community;
      community.server.clock.advance(60);
      expect(await list(community, `viewer ${at}`, ['b', 'a'], fields)).toEqual({ added: 0, removed: 0 });
      expect(community.seq).toBe(seq);
    }
  });

  it('a list in the future counts as now, with a warning', async (community) => {
    const changed = await list(community, 'viewer', ['a'], { timestamp: START + 1e6 });
    expect(changed).toEqual({
      added: 1,
      removed: 0,
      warnings: ["timestamp: lies ahead of the service's clock; it counts as now"],
    });
    community.server.clock.advance(1);
    expect(await list(community, 'viewer', [])).toEqual({ added: 0, removed: 1 });
  });

  it('a warning names unknown fields of a list', async (community) => {
    const changed = await list(community, 'viewer', ['a'], { user_id: 'viewer' });
    expect(changed).toEqual({ added: 1, removed: 0, warnings: ["unknown field 'user_id' was ignored"] });
  });

  const WRONG: [string, unknown, string][] = [
    ['no body', undefined, '/target_user_ids: is required'],
    ['a list alone', ['a'], 'expected a JSON object with target_user_ids; got an array'],
    ['no list', {}, '/target_user_ids: is required'],
    [
      'null for the list, which must not empty it',
      { target_user_ids: null },
      '/target_user_ids: is required',
    ],
    ['an empty identifier', { target_user_ids: ['a', ''] }, 'target_user_ids/1'],
    ['an integer that lost digits', { target_user_ids: [2 ** 53] }, 'send it as a string'],
    [
      'too many users',
      { target_user_ids: Array.from({ length: 100_001 }, (_, id) => id) },
      'expected a list of at most 100,000 user identifiers; got 100,001',
    ],
  ];
  test.each(WRONG)('a list with %s is refused and changes nothing', async (_, given, detail) => {
    await using community = await openCommunity();
    await community.follow('viewer', 'kept');
    const { status, body } = await put(community, 'viewer', given);
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(JSON.stringify(body)).toContain(JSON.stringify(detail).slice(1, -1));
    expect(await followed(community, 'viewer')).toEqual(['kept']);
  });
});

describe('a list that does not fit', () => {
  test('a list that exceeds a limit of the state is refused with 507 as a whole', async () => {
    await using server = await openTestServer({ opening: { limits: { follows: 2 } } });
    await put({ server }, 'a', { target_user_ids: ['x', 'y'] });
    const { status, body } = await put({ server }, 'a', { target_user_ids: ['z'] });
    expect([status, body.code]).toEqual([507, 'state_full']);
    expect(body.detail).toContain('the state can hold no more follows (limit 2)');
    expect((await server.get(`${USERS}/a`)).body.follows.toSorted()).toEqual(['x', 'y']);
    expect((await server.get(`${USERS}/z`)).status).toBe(404);
    server.clock.advance(1);
    expect((await put({ server }, 'a', { target_user_ids: ['y'] })).body).toMatchObject({
      added: 0,
      removed: 1,
    });
  });

  test('a list that exceeds the write queue is refused with 503, and accepted when the queue is empty', async () => {
    await using community = await openCommunity({ settings: { write_queue: 5 } });
    const body = { target_user_ids: ['a', 'b', 'c'] };
    const answers = await Promise.all(['x', 'y'].map((user) => put(community, user, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    expect(answers[1].headers.get('retry-after')).toBe('1');
    expect(await followed(community, 'y')).toEqual([]);
    expect(await list(community, 'y', ['a', 'b', 'c'])).toEqual({ added: 3, removed: 0 });
  });

  test('a list counts each of its users against the quota of the account', async () => {
    await using community = await openCommunity({ settings: { quota_records_per_day: 5 } });
    expect(await list(community, 'viewer', ['a', 'b', 'c'])).toEqual({ added: 3, removed: 0 });
    const { status, body } = await put(community, 'viewer', { target_user_ids: ['a', 'b', 'c'] });
    expect([status, body.code]).toEqual([403, 'quota_exceeded']);
    expect(await list(community, 'viewer', ['a', 'b'])).toEqual({ added: 0, removed: 1 });
  });
});

it('a list may have 100,000 users, and no page sees half of it', async (community) => {
  const ids = Array.from({ length: 100_000 }, (_, id) => `user ${id}`);
  const counts = new Set<number>();
  const { follows, users } = community.server.service.state;
  const release = holdWrites(community);
  const putting = list(community, 'viewer', ids);
  const watching = { ends: false };
  const watch = async () => {
    while (!watching.ends) {
      const viewer = users.names.find('viewer');
      counts.add(viewer < 0 ? 0 : follows.count(viewer));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const watched = watch();
  release();
  expect(await putting).toEqual({ added: 100_000, removed: 0 });
  watching.ends = true;
  await watched;
  expect([...counts].filter((count) => count !== 0 && count !== 100_000)).toEqual([]);
  expect(follows.count(users.names.find('viewer'))).toBe(100_000);
});

const PLACES: [string, () => Promise<TestServiceOptions>][] = [
  ['SQLite', async () => ({ data: mkdtempSync(join(folder, 'data-')) })],
  ['PostgreSQL', async () => ({ settings: { database_url: await emptyDatabase() } })],
];
test.each(PLACES)('a list and the follows that it invalidated survive a restart, on %s', async (_, place) => {
  const options = await place();
  const many = Array.from({ length: 900 }, (_, id) => `user ${id}`);
  {
    await using community = await openCommunity(options);
    await list(community, 'viewer', ['a', ...many], { timestamp: START - 10 });
    await list(community, 'viewer', ['b'], { timestamp: START - 5 });
    await list(community, 'reader', many, { timestamp: START - 5 });
  }
  await using again = await openCommunity(options);
  await again.follow('viewer', 'c', { timestamp: START - 6 });
  expect(await followed(again, 'viewer')).toEqual(['b']);
  expect(await followed(again, 'reader')).toEqual(many.toSorted());
});

it('an erasure removes the list of the user, and no list of others', async (community) => {
  await list(community, 'viewer', ['a', 'b'], { timestamp: START - 5 });
  await list(community, 'a', ['viewer'], { timestamp: START - 5 });
  await community.remove('users', 'a');
  expect(await followed(community, 'viewer')).toEqual(['b']);
  // Somebody new, whom nothing was said of.
  await community.add('users', { user_id: 'a', revive: true });
  await community.follow('a', 'b', { timestamp: START - 20 });
  expect(await followed(community, 'a')).toEqual(['b']);
});

/** A follow, an unfollow or a whole list of one user, all at different times. */
const TARGETS = ['a', 'b', 'c', 'd'];
const step = fc.oneof(
  fc.record({ target_user_id: fc.constantFrom(...TARGETS), action: fc.constantFrom('follow', 'unfollow') }),
  fc.record({ target_user_ids: fc.subarray(TARGETS) }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 8 });

/** Straight to the ingest of the service, as HTTP may let one body overtake another. */
async function send({ server: { service } }: Community, user_id: string, fields: Fields): Promise<void> {
  if (!('target_user_ids' in fields)) {
    const { accepted } = await service.ingest.ingest('follows', [{ user_id, ...fields }]);
    expect(accepted).toBe(1);
    return;
  }
  const parsed = parseFollowListRecord({ user_id, ...fields });
  if (!parsed.ok) throw new Error('the list is not valid');
  await service.ingest.followList(parsed.record);
}

function dated(given: readonly Fields[], times: readonly number[]): Fields[] {
  return given.map((fields, at) => ({ ...fields, timestamp: START - 1000 + times[at] }));
}

it('concurrent lists and follows have the same effect as one after another', async (one_by_one) => {
  await using at_once = await openCommunity();
  let users = 0;
  await checkAsync(50, [steps], async (given) => {
    const user_id = `viewer ${users++}`;
    for (const fields of given) await send(one_by_one, user_id, fields);
    await Promise.all(given.map((fields) => send(at_once, user_id, fields)));
    expect(await followed(at_once, user_id)).toEqual(await followed(one_by_one, user_id));
  });
});

it('lists and follows of different times have the same effect in any order', async (in_order) => {
  await using out_of_order = await openCommunity();
  let users = 0;
  await checkAsync(50, [steps, fc.infiniteStream(fc.nat())], async (given, chance) => {
    const user_id = `viewer ${users++}`;
    const records = dated(
      given,
      given.map((_, at) => at),
    );
    const shuffled = records
      .map((record) => ({ record, place: chance.next().value }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ record }) => record);
    for (const record of records) await send(in_order, user_id, record);
    for (const record of shuffled) await send(out_of_order, user_id, record);
    expect(await followed(out_of_order, user_id)).toEqual(await followed(in_order, user_id));
  });
});
