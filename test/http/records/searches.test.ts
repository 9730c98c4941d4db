import { describe, expect, test } from 'bun:test';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { Community, openCommunity } from '../support.ts';

const MUSIC = 'https://example.community/channel/Music';
const server = await forFile(openTestServer());
const community = new Community(server);
await community.add(
  'users',
  { user_id: '100', username: 'Alice', display_name: 'Zoë Müller' },
  { user_id: '101', username: 'alina', pfp_url: 'https://example.com/a.png' },
  { user_id: '102', username: 'bob', display_name: 'ALI Baba', hidden: true },
  { user_id: 'ali', username: 'zed' },
  { user_id: 'alien' },
);
await community.follow('101', '100');
await community.addItem('0xa1', { author_id: '100', channel: MUSIC, created_at: START - 3 });
await community.addItem('0xa2', {
  author_id: '100',
  channel: MUSIC,
  created_at: START - 1,
  hidden: true,
});
await community.addItem('0xb1', { author_id: '102', text: 'by a hidden author', created_at: START - 2 });
await community.addItem('0xb', { author_id: '101', channel: 'muse', created_at: START - 4 });
const { headers } = await newAccount(server, 'moderators', 'config:write');

const get = (path: string): Promise<TestAnswer> =>
  server.call('GET', `/v2/farcaster/${path}`, undefined, headers);

async function userIds(query: string): Promise<string[]> {
  const { status, body } = await get(`users${query}`);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return body.users.map(({ user_id }: { user_id: string }) => user_id);
}

async function itemIds(query: string): Promise<string[]> {
  const { status, body } = await get(`items${query}`);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return body.items.map(({ item_id }: { item_id: string }) => item_id);
}

test('users are found by identifier, then by the start of username, display name and identifier', async () => {
  expect(await userIds('?search=ali')).toEqual(['ali', '100', '101', '102', 'alien']);
  expect(await userIds('?search=ALI')).toEqual(['100', '101', '102']);
  expect(await userIds(`?search=${encodeURIComponent('zoË m')}`)).toEqual(['100']);
  expect(await userIds('?search=10')).toEqual(['102', '101', '100']);
  expect(await userIds('?search=nobody')).toEqual([]);
  expect(await userIds('?search=ali&limit=2')).toEqual(['ali', '100']);
});

test('without a search, the users who became known last are listed', async () => {
  expect(await userIds('?limit=2')).toEqual(['alien', 'ali']);
});

test('a listed user has names, counts, and a mark when moderation hides the user', async () => {
  const { body } = await get('users?search=10');
  expect(body.users).toEqual([
    {
      user_id: '102',
      username: 'bob',
      display_name: 'ALI Baba',
      hidden: true,
      items_count: 1,
      followers_count: 0,
    },
    {
      user_id: '101',
      username: 'alina',
      pfp_url: 'https://example.com/a.png',
      hidden: false,
      items_count: 1,
      followers_count: 0,
    },
    {
      user_id: '100',
      username: 'Alice',
      display_name: 'Zoë Müller',
      hidden: false,
      items_count: 2,
      followers_count: 1,
    },
  ]);
});

test('a user is found by the current names only, and not after an erasure', async () => {
  await using community = new Community(await openTestServer());
  await community.add('users', { user_id: '1', username: 'first' });
  await community.add('users', { user_id: '1', username: 'second' });
  const found = async (search: string) => {
    const { body } = await community.server.get(`/v2/farcaster/users?search=${search}`);
    return body.users.length;
  };
  expect([await found('first'), await found('second')]).toEqual([0, 1]);
  await community.server.remove('/v2/farcaster/users/1');
  expect([await found('first'), await found('second'), await found('1')]).toEqual([0, 0, 0]);
});

test('items are listed newest first, with hidden ones marked', async () => {
  expect(await itemIds('')).toEqual(['0xa2', '0xb1', '0xa1', '0xb']);
  expect(await itemIds('?limit=1')).toEqual(['0xa2']);
  const { body } = await get('items?limit=2');
  expect(body.items).toMatchObject([
    { item_id: '0xa2', hidden: true, item: { item_id: '0xa2', author_id: '100' } },
    { item_id: '0xb1', hidden: true, item: { text: 'by a hidden author', created_at: START - 2 } },
  ]);
});

test('items are found by the start of the identifier, by author and by channel', async () => {
  expect(await itemIds('?search=0xb')).toEqual(['0xb', '0xb1']);
  expect(await itemIds('?search=0xA')).toEqual([]);
  expect(await itemIds('?author_id=100')).toEqual(['0xa2', '0xa1']);
  expect(await itemIds(`?channel=${encodeURIComponent(MUSIC)}`)).toEqual(['0xa2', '0xa1']);
  expect(await itemIds('?channel=unknown')).toEqual([]);
  expect((await get('items?author_id=unknown')).status).toBe(404);
});

test('an item or user is read by its identifier in the query, with the scope of moderators', async () => {
  expect((await get('items?item_id=0xa1')).body).toMatchObject({ item_id: '0xa1', author_id: '100' });
  expect((await get('users?user_id=100')).body).toMatchObject({ user_id: '100', username: 'Alice' });
  expect((await get('items?item_id=unknown')).status).toBe(404);
});

test('channels are found by their start or by their last part, those with the most items first', async () => {
  const channels = async (query: string) => (await get(`channels${query}`)).body.channels;
  const [music, muse] = [
    { channel: MUSIC, items_count: 2 },
    { channel: 'muse', items_count: 1 },
  ];
  expect(await channels('')).toEqual([music, muse]);
  expect(await channels('?search=MUS')).toEqual([music, muse]);
  expect(await channels('?search=https')).toEqual([music]);
  expect(await channels('?limit=1')).toEqual([music]);
  expect(await channels('?search=channel')).toEqual([]);
});

describe('a name is found in another Unicode form', () => {
  const FORMS: [string, string, string][] = [
    ['a letter with an accent', 'jose\u0301 luis', 'jos\u00e9'],
    ['a letter that is composed', 'ren\u00e9e', 'rene\u0301'],
    ['a voiced kana', '\u304c\u3093\u3070', '\u304b\u3099\u3093'],
    ['wide letters', 'ＡＮＮ Lee', 'ann'],
    ['usual letters by wide ones', 'Dora Lee', 'ＤＯＲ'],
    ['a sharp s', 'Gro\u00dfmann', 'GROSSM'],
    ['ligatures', '\ufb01nn', 'fin'],
  ];

  test.each(FORMS)('%s', async (form, stored, typed) => {
    await using other = await openCommunity();
    const search = encodeURIComponent(typed);
    const found = async (path: string) => (await other.server.get(`/v2/community/${path}`)).body;
    await other.add('users', { user_id: '1', username: stored }, { user_id: '2', display_name: stored });
    await other.addItem('a', { channel: `https://a.example/${stored}`, text: `Seen with ${stored} today` });
    const { users } = await found(`users?search=${search}`);
    expect([form, users.map(({ user_id }: { user_id: string }) => user_id)]).toEqual([form, ['1', '2']]);
    expect((await found(`channels?search=${search}`)).channels).toHaveLength(1);
    expect((await found(`values?filter=channels&search=${search}`)).values).toHaveLength(1);
    expect((await found(`items?text=${search}`)).items).toHaveLength(1);
  });
});

test.each([
  ['items?search=a&author_id=1', '/author_id', 'cannot be combined with search; send one of them'],
  ['items?item_id=a&channel=b', '/channel', 'cannot be combined with item_id; send one of them'],
  ['users?user_id=1&search=a', '/search', 'cannot be combined with user_id; send one of them'],
])('GET %s is refused and says what is allowed', async (path, pointer, message) => {
  const { status, body } = await get(path);
  expect([status, body.errors]).toEqual([400, [{ path: pointer, message }]]);
});

test('a prefix is searched among more identifiers than one slice of a scan', async () => {
  await using community = new Community(await openTestServer());
  const ids = Array.from({ length: 25_000 }, (_, at) => `u${at}`);
  for (let at = 0; at < ids.length; at += 5_000)
    await community.add('users', ...ids.slice(at, at + 5_000).map((user_id) => ({ user_id })));
  const answer = await community.server.get('/v2/farcaster/users?search=u1&limit=3');
  expect(answer.body.users.map(({ user_id }: { user_id: string }) => user_id)).toEqual([
    'u1',
    'u19999',
    'u19998',
  ]);
});
