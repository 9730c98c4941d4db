import { describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { temporaryFolder } from '../../support/folder.ts';
import { checkAsync } from '../../support/long.ts';
import { emptyDatabase } from '../../support/prepared-data.ts';
import type { TestAnswer, TestServer, TestServiceOptions } from '../../support/service.ts';
import { openTestServer } from '../../support/service.ts';
import { type Community, type Fields, testCommunity as it, KEY, openCommunity } from '../support.ts';

const LISTS = '/v2/farcaster/lists';
/** A list of Bluesky, which only the query can carry behind some proxies. */
const URI = 'at://did:plc:x/app.bsky.graph.list/abc';

const folder = temporaryFolder('lists');

type Method = 'GET' | 'PUT' | 'PATCH' | 'DELETE';

function call(
  server: TestServer,
  method: Method,
  list_id: string,
  body?: unknown,
  more = '',
): Promise<TestAnswer> {
  return server.call(method, `${LISTS}?list_id=${encodeURIComponent(list_id)}${more}`, body, KEY);
}

async function done({ server }: { server: TestServer }, method: Method, list_id: string, body?: unknown) {
  const answer = await call(server, method, list_id, body);
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
  const { status: _, ...rest } = answer.body;
  return rest;
}

async function members(community: { server: TestServer }, list_id: string): Promise<string[]> {
  return (await done(community, 'GET', list_id)).user_ids;
}

const byEach = (community: Community, ...authors: string[]) =>
  Promise.all(authors.map((author_id) => community.addItem(`by ${author_id}`, { author_id })));

const shown = async (community: Community, filters: Fields) =>
  (await community.ids('popular', { filters })).toSorted();

describe('a list of users', () => {
  it('is replaced, changed, read and deleted by its identifier, in the query or in the path', async (community) => {
    const body = { user_ids: ['a', 7, 'a', 'b'], name: 'Editors' };
    expect(await done(community, 'PUT', URI, body)).toEqual({ added: 3, removed: 0 });
    expect(await done(community, 'PUT', URI, { user_ids: ['b', 'c'] })).toEqual({ added: 1, removed: 2 });
    const change = { add: ['d', 'b'], remove: ['c', 'never heard of'], name: 'Friends' };
    expect(await done(community, 'PATCH', URI, change)).toEqual({ added: 1, removed: 1 });
    expect(await done(community, 'PATCH', URI, {})).toEqual({ added: 0, removed: 0 });
    const stored = { list_id: URI, name: 'Friends', size: 2, user_ids: ['b', 'd'] };
    expect(await done(community, 'GET', URI)).toEqual(stored);
    const { server } = community;
    const by_path = await server.call('GET', `${LISTS}/${encodeURIComponent(URI)}`, undefined, KEY);
    expect(by_path.body).toEqual(stored);
    await done(community, 'PATCH', URI, { name: '' });
    expect(await done(community, 'GET', URI)).not.toHaveProperty('name');
    expect(await done(community, 'DELETE', URI)).toEqual({ added: 0, removed: 2 });
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await call(server, method, URI, method === 'PATCH' ? {} : undefined);
      expect([answer.status, answer.body.detail]).toEqual([404, `there is no list '${URI}'`]);
    }
  });

  it('that is sent again changes and stores nothing', async (community) => {
    const body = { user_ids: ['a', 'b'], name: 'Editors' };
    await done(community, 'PUT', 'l', body);
    const { seq } = community;
    expect(await done(community, 'PUT', 'l', body)).toEqual({ added: 0, removed: 0 });
    expect(await done(community, 'PATCH', 'l', { add: ['a'], remove: ['c'] })).toEqual({
      added: 0,
      removed: 0,
    });
    expect(community.seq).toBe(seq);
  });

  it('is named with its size among all lists, by identifier, in parts', async (community) => {
    for (const id of ['b', 'a', 'c']) await done(community, 'PUT', id, { user_ids: [id], name: `of ${id}` });
    const read = async (query: string) =>
      (await community.server.call('GET', `${LISTS}${query}`, undefined, KEY)).body;
    const one = (id: string) => ({ list_id: id, name: `of ${id}`, size: 1 });
    expect(await read('')).toEqual({ lists: ['a', 'b', 'c'].map(one) });
    expect(await read('?offset=1&limit=1')).toEqual({ lists: [one('b')] });
    expect(await read('?list_id=a&offset=1')).toEqual({ ...one('a'), user_ids: [] });
  });

  it('is read in parts, and names where the next begins', async (community) => {
    await done(community, 'PUT', 'l', { user_ids: ['a', 'b', 'c'] });
    for (const path of [`${LISTS}/l?`, `${LISTS}?list_id=l&`]) {
      const read = async (query: string) =>
        (await community.server.call('GET', `${path}${query}`, undefined, KEY)).body;
      expect(await read('offset=1&limit=1')).toEqual({
        ...{ list_id: 'l', size: 3, user_ids: ['b'] },
        warnings: ['1 of 3 users; go on with offset 2'],
      });
      expect(await read('offset=2&limit=1')).toEqual({ list_id: 'l', size: 3, user_ids: ['c'] });
      expect((await read('limit=0')).errors[0].message).toBe('must be an integer from 1 to 100000');
    }
  });

  it('is not stored in a dry run', async (community) => {
    const answer = await call(community.server, 'PUT', 'l', { user_ids: ['a'] }, '&dry_run=true');
    expect(answer.body).toEqual({ status: 'success', added: 1, removed: 0, dry_run: true });
    expect((await call(community.server, 'GET', 'l')).status).toBe(404);
    expect(await community.stored('users', 'a')).toBeUndefined();
  });

  const WRONG: [string, Method, unknown, string][] = [
    ['no users', 'PUT', {}, '/user_ids: is required'],
    [
      'no list of users',
      'PUT',
      { user_ids: 'a' },
      '/user_ids: expected a list of at most 100,000 user identifiers',
    ],
    ['an empty identifier', 'PUT', { user_ids: ['a', ''] }, '/user_ids/1'],
    ['an integer that lost digits', 'PUT', { user_ids: [2 ** 53] }, 'send it as a string'],
    ['a name that is no text', 'PUT', { user_ids: [], name: 7 }, '/name'],
    [
      'too many users',
      'PUT',
      { user_ids: Array.from({ length: 100_001 }, (_, id) => id) },
      'expected a list of at most 100,000 user identifiers; got 100,001',
    ],
    [
      'a user who is added and removed',
      'PATCH',
      { add: ['a'], remove: ['b', 'a'] },
      '/remove/1: is also in add',
    ],
    ['a misspelt parameter', 'DELETE', undefined, '/dryrun: is not known here'],
  ];
  test.each(WRONG)('%s is refused and changes nothing', async (_, method, body, detail) => {
    await using community = await openCommunity();
    await done(community, 'PUT', 'l', { user_ids: ['kept'] });
    const more = method === 'DELETE' ? '&dryrun=true' : '';
    const answer = await call(community.server, method, 'l', body, more);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_value']);
    expect(answer.body.detail).toContain(detail);
    expect(await members(community, 'l')).toEqual(['kept']);
  });

  test('may have 100,000 users, and a change beyond them is refused', async () => {
    await using community = await openCommunity();
    const ids = Array.from({ length: 100_000 }, (_, id) => `user ${id}`);
    expect(await done(community, 'PUT', 'l', { user_ids: ids })).toEqual({ added: 100_000, removed: 0 });
    expect((await members(community, 'l')).length).toBe(100_000);
    const { status, body } = await call(community.server, 'PATCH', 'l', { add: ['one more'] });
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(body.detail).toContain('/add: the list would have 100,001 users; at most 100,000 are allowed');
    expect(await done(community, 'PATCH', 'l', { add: ['one more'], remove: ['user 7'] })).toEqual({
      added: 1,
      removed: 1,
    });
  });

  test('beyond the limits of the state is refused with 507 and leaves no trace', async () => {
    await using server = await openTestServer({ opening: { limits: { lists: 2, list_entries: 3 } } });
    await done({ server }, 'PUT', 'one', { user_ids: ['a', 'b'] });
    const refused = async (list_id: string, user_ids: string[]) => {
      const { status, body } = await call(server, 'PUT', list_id, { user_ids });
      return [status, body.code, body.detail.split(';')[0]];
    };
    const full = (what: string) => [507, 'state_full', `the state can hold no more ${what}`];
    expect(await refused('two', ['a', 'new'])).toEqual(full('members of lists of users (limit 3)'));
    expect((await server.get('/v2/farcaster/users/new')).status).toBe(404);
    await done({ server }, 'PUT', 'two', { user_ids: ['a'] });
    expect(await refused('three', [])).toEqual(full('lists of users (limit 2)'));
    await done({ server }, 'DELETE', 'one');
    await done({ server }, 'PUT', 'three', { user_ids: ['x', 'y'] });
  });

  test('counts each of its users against the quota of the account', async () => {
    await using community = await openCommunity({ settings: { quota_records_per_day: 5 } });
    await done(community, 'PUT', 'l', { user_ids: ['a', 'b', 'c'] });
    const { status, body } = await call(community.server, 'PATCH', 'l', { add: ['d', 'e'], remove: ['a'] });
    expect([status, body.code]).toEqual([403, 'quota_exceeded']);
    await done(community, 'PATCH', 'l', { add: ['d'], remove: ['a'] });
  });
});

describe('a filter on the authors of a list', () => {
  it('keeps or removes their items from the next page on', async (community) => {
    await byEach(community, 'a', 'b', 'c');
    const pages = async () => [
      await shown(community, { author_ids: `list:${URI}` }),
      await shown(community, { remove_author_ids: `list:${URI}` }),
    ];
    await done(community, 'PUT', URI, { user_ids: ['a', 'b'] });
    // Later pages of a feed use cached results of the filter, which the list may outdate.
    for (let page = 0; page < 3; page++) expect(await pages()).toEqual([['by a', 'by b'], ['by c']]);
    await done(community, 'PATCH', URI, { add: ['c'], remove: ['a'] });
    expect(await pages()).toEqual([['by b', 'by c'], ['by a']]);
    await community.remove('users', 'b');
    expect(await pages()).toEqual([['by c'], ['by a']]);
    expect(await members(community, URI)).toEqual(['c']);
    await done(community, 'DELETE', URI);
    expect(await pages()).toEqual([[], ['by a', 'by c']]);
  });

  it('works in a saved feed and its promotion', async (community) => {
    await byEach(community, 'a', 'b');
    await done(community, 'PUT', 'l', { user_ids: ['a'] });
    const config = { filters: { author_ids: 'list:l' } };
    const body = { name: 'x', endpoint: 'casts/feed/popular', config };
    const saved = await community.server.call('POST', '/api/feed/config', body, KEY);
    expect([saved.status, saved.body.warnings]).toEqual([201, undefined]);
    const page = () => community.ids('popular', { feed_id: saved.body.data.config_id });
    expect(await page()).toEqual(['by a']);
    await done(community, 'PUT', 'l', { user_ids: ['b'] });
    expect(await page()).toEqual(['by b']);
  });

  it('takes an entry of an array that begins like a list as the identifier of an author', async (community) => {
    await byEach(community, 'list:l', 'a');
    await done(community, 'PUT', 'l', { user_ids: ['a'] });
    expect(await shown(community, { author_ids: ['list:l'] })).toEqual(['by list:l']);
    expect(await shown(community, { author_ids: ['list:l', 'a'] })).toEqual(['by a', 'by list:l']);
  });

  it('refuses a list identifier without or with too many characters', async (community) => {
    for (const id of ['', 'x'.repeat(257)]) {
      const { status, body } = await community.ask('popular', { filters: { author_ids: `list:${id}` } });
      expect([status, body.code]).toEqual([400, 'invalid_value']);
      expect(body.detail).toContain('the list id after "list:" must have 1 to 256 characters');
    }
  });
});

const USERS = ['a', 'b', 'c', 'd'];
const ids = fc.subarray(USERS);
const list_id = fc.constantFrom('l0', URI);
const kept = fc.boolean();
const step = fc.oneof(
  fc.record({ method: fc.constant('PUT' as const), list_id, body: fc.record({ user_ids: ids }) }),
  fc.record({
    method: fc.constant('PATCH' as const),
    list_id,
    body: fc
      .tuple(ids, ids)
      .map(([add, remove]) => ({ add, remove: remove.filter((id) => !add.includes(id)) })),
  }),
  fc.record({ method: fc.constant('DELETE' as const), list_id }),
  fc.record({ erased: fc.constantFrom(...USERS) }),
  fc.record({ restarts: fc.constant(true) }),
);

const PLACES: [string, () => Promise<TestServiceOptions>][] = [
  ['SQLite', async () => ({ data: mkdtempSync(join(folder, 'data-')) })],
  ['PostgreSQL', async () => ({ settings: { database_url: await emptyDatabase() } })],
];
test.each(PLACES)(
  'lists are what a small model says, also after erasures and restarts, on %s',
  async (_, place) => {
    await checkAsync(4, [fc.array(fc.tuple(step, kept), { minLength: 4, maxLength: 14 })], async (steps) => {
      const options = await place();
      let community = await openCommunity(options);
      const model = new Map<string, Set<string>>();
      for (const [given] of [...steps, [{ restarts: true }] as const]) {
        if ('restarts' in given) {
          await community.server.close();
          community = await openCommunity(options);
        } else if ('erased' in given) {
          await community.server.remove(`/v2/farcaster/users/${given.erased}`);
          for (const list of model.values()) list.delete(given.erased);
        } else {
          const { method, list_id: id } = given;
          const list = model.get(id);
          const answer = await call(community.server, method, id, 'body' in given ? given.body : undefined);
          expect(answer.status).toBe(list === undefined && method !== 'PUT' ? 404 : 200);
          if (given.method === 'DELETE') model.delete(id);
          else if (given.method === 'PUT') model.set(id, new Set(given.body.user_ids));
          else if (list !== undefined) {
            for (const user of given.body.add) list.add(user);
            for (const user of given.body.remove) list.delete(user);
          }
        }
        const listed = await community.server.call('GET', LISTS, undefined, KEY);
        expect(listed.body.lists.map((list: Fields) => list.list_id)).toEqual([...model.keys()].toSorted());
        for (const [id, list] of model)
          expect((await members(community, id)).toSorted()).toEqual([...list].toSorted());
      }
      await community.server.close();
    });
  },
);
