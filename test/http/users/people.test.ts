import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { testsWith } from '../../support/fixture.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, KEY, openCommunity } from '../support.ts';

const it = testsWith(friends);

const V2 = '/v2/farcaster/users';
const DAY = 86_400;
const MUSIC = 'https://example.community/channel/music';

interface Listed {
  user_id: string;
  score: number;
  reasons: Fields[];
  metadata?: Fields;
}

async function recommended(community: Community, fields: Fields = {}): Promise<Listed[]> {
  const { status, body } = await community.server.post(`${V2}/recommended`, { user_id: 'viewer', ...fields });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return body.body;
}

async function similar(community: Community, user_id: string, query = ''): Promise<Listed[]> {
  const { status, body } = await community.server.get(`${V2}/${user_id}/similar${query}`);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return body.body;
}

const ids = (users: readonly Listed[]) => users.map(({ user_id }) => user_id);
const reasonsOf = (users: readonly Listed[], user_id: string) =>
  users.find((user) => user.user_id === user_id)?.reasons;

/** Users become active by an item each. */
async function publish(community: Community, ...authors: string[]): Promise<void> {
  await community.add(
    'items',
    ...authors.map((author_id) => ({ item_id: `of ${author_id}`, author_id, created_at: START })),
  );
}

/** `viewer` follows `f1` and `f2`, who both follow `common`; `f1` also follows `single`. All of them published. */
async function friends(options?: Parameters<typeof openCommunity>[0]): Promise<Community> {
  const community = await openCommunity(options);
  await publish(community, 'f1', 'f2', 'common', 'single', 'viewer');
  for (const [one, other] of [
    ['viewer', 'f1'],
    ['viewer', 'f2'],
    ['f1', 'common'],
    ['f2', 'common'],
    ['f1', 'single'],
    ['f1', 'viewer'],
  ])
    await community.follow(one, other);
  return community;
}

describe('recommended users', () => {
  it('are those whom followed users follow, with more common follows first and these as the reason', async (community) => {
    const users = await recommended(community);
    expect(ids(users)).toEqual(['common', 'single']);
    const [{ user_ids, ...reason }] = users[0].reasons as [{ user_ids: string[] }];
    expect([user_ids.toSorted(), reason]).toEqual([['f1', 'f2'], { type: 'followed_by', count: 2 }]);
    expect(users[1].reasons).toEqual([{ type: 'followed_by', user_ids: ['f1'], count: 1 }]);
    expect(users[0].score).toBeGreaterThan(users[1].score);
  });

  test('are authors of liked items, users with the same likes, and followers, each with its reason', async () => {
    await using community = await openCommunity();
    await community.addItem('song', { author_id: 'band', channel: MUSIC });
    await publish(community, 'other');
    for (const user_id of ['viewer', 'fan']) await community.act(user_id, 'like', 'song');
    await community.follow('other', 'viewer');
    const users = await recommended(community);
    expect(ids(users).toSorted()).toEqual(['band', 'fan', 'other']);
    const item_ids = ['song'];
    expect(reasonsOf(users, 'band')).toContainEqual({ type: 'author_of_liked', item_ids, count: 1 });
    expect(reasonsOf(users, 'fan')).toContainEqual({ type: 'liked_same', item_ids, count: 1 });
    expect(reasonsOf(users, 'fan')).toContainEqual({ type: 'similar_taste' });
    expect(reasonsOf(users, 'other')).toEqual([{ type: 'follows_you' }]);
  });

  test('do not show private acts: bookmarks, views and reports make nobody a candidate with a reason', async () => {
    await using community = await openCommunity();
    await community.addItem('song', { author_id: 'band' });
    await community.act('viewer', 'like', 'song');
    for (const event_type of ['bookmark', 'view', 'report'])
      await community.act(`by ${event_type}`, event_type, 'song');
    expect(ids(await recommended(community))).toEqual(['band']);
  });

  it('of an unknown viewer are active users with the most followers', async (community) => {
    for (const user_id of ['a', 'b', 'c']) await community.follow(user_id, 'single');
    const users = await recommended(community, { user_id: 'stranger', top_k: 2 });
    expect(users).toMatchObject([
      { user_id: 'single', reasons: [{ type: 'popular', count: 4 }] },
      { user_id: 'common', reasons: [{ type: 'popular', count: 2 }] },
    ]);
  });

  it('with equally many common follows are ordered by followers, and similar users the other way round', async (community) => {
    await publish(community, 'hub', 'rare');
    for (const target of ['hub', 'rare'])
      for (const user of ['f1', 'f2']) await community.follow(user, target);
    for (let at = 0; at < 30; at++) await community.follow(`fan ${at}`, 'hub');
    expect(ids(await recommended(community)).slice(0, 1)).toEqual(['hub']);
    const alike = ids(await similar(community, 'common'));
    expect(alike.indexOf('rare')).toBeLessThan(alike.indexOf('hub'));
  });

  it('never are followed, blocked on either side, hidden, inactive, excluded or erased', async (community) => {
    await community.follow('viewer', 'single');
    expect(ids(await recommended(community))).toEqual(['common']);
    await community.block('common', 'viewer');
    expect(ids(await recommended(community))).toEqual([]);
    await community.block('common', 'viewer', { action: 'unblock' });
    await community.block('viewer', 'common');
    expect(ids(await recommended(community))).toEqual([]);
    await community.block('viewer', 'common', { action: 'unblock' });
    expect(ids(await recommended(community))).toEqual(['common']);
    await community.add('users', { user_id: 'common', hidden: true });
    expect(ids(await recommended(community))).toEqual([]);
    await community.add('users', { user_id: 'common', hidden: false });
    expect(ids(await recommended(community, { exclude_user_ids: ['common', 7] }))).toEqual([]);
    await community.remove('users', 'common');
    expect(ids(await recommended(community))).toEqual([]);
    await community.follow('f1', 'silent');
    expect(ids(await recommended(community))).toEqual([]);
  });

  it('who did nothing for more than 90 days are left out until they act again', async (community) => {
    community.server.clock.set(START + 91 * DAY);
    expect(await recommended(community)).toEqual([]);
    await community.act('common', 'like', 'of f1');
    expect(ids(await recommended(community))).toEqual(['common']);
  });

  it('have no reasons that name hidden, erased or blocked users', async (community) => {
    await community.add('users', { user_id: 'f1', hidden: true });
    await community.block('f2', 'viewer');
    const users = await recommended(community);
    for (const { reasons } of users) expect(reasons).toMatchObject([{ type: 'popular' }]);
    await community.remove('users', 'f2');
    expect(JSON.stringify(await recommended(community))).not.toMatch(/"f[12]"/);
  });

  test('of the next cursor are further users, also after a restart, and a cursor is of one viewer', async () => {
    const data = temporaryFolder('people');
    const clock = new ManualClock(START);
    const first = await friends({ data, clock });
    const page = await first.server.post(`${V2}/recommended`, { user_id: 'viewer', top_k: 1 });
    expect(ids(page.body.body)).toEqual(['common']);
    await first.server.close();
    await using again = await openCommunity({ data, clock });
    const { cursor } = page.body;
    expect(ids(await recommended(again, { top_k: 5, cursor }))).toEqual(['single']);
    expect(ids(await recommended(again, { top_k: 5 }))).toEqual(['common', 'single']);
    const { body } = await again.server.post(`${V2}/recommended`, { user_id: 'f1', cursor });
    expect([body.status, body.code]).toEqual([400, 'cursor_invalid']);
  });

  it('are found by a wallet address, and have metadata and signals when asked for', async (community) => {
    const wallet_address = '0x00000000000000000000000000000000000A0001';
    await community.add('users', { user_id: 'viewer', wallet_addresses: [wallet_address] });
    await community.add('users', { user_id: 'common', username: 'com' });
    const { body } = await community.server.post(`${V2}/recommended`, {
      wallet_address,
      top_k: 1,
      return_metadata: true,
      explain: true,
    });
    expect(body.body).toMatchObject([
      { user_id: 'common', metadata: { username: 'com', display_name: '', pfp_url: '' } },
    ]);
    expect(body.body[0].explain.signals.follows).toBeGreaterThan(0);
    expect(body.trace.candidates.scored).toBe(2);
  });

  it('are refused with every fault named, and unknown fields are named in warnings', async (community) => {
    const { status, body } = await community.server.post(`${V2}/recommended`, {
      top_k: 101,
      exclude_user_ids: ['a', ''],
    });
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/top_k', '/exclude_user_ids/1']);
    const nobody = await community.server.post(`${V2}/recommended`, { top_k: 3, wallet_address: '' });
    expect([nobody.status, nobody.body.detail]).toEqual([400, '/user_id: is required (or wallet_address)']);
    const odd = await community.server.post(`${V2}/recommended`, { user_id: 7, topk: 3, seed: null });
    expect([odd.status, odd.body.warnings]).toEqual([200, ["unknown field 'topk' was ignored"]]);
  });

  it('are asked for with POST, and other methods at their path say so', async (community) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body, headers } = await community.server.call(
        method,
        `${V2}/recommended`,
        undefined,
        KEY,
      );
      expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST']);
      expect(body.detail).toContain('use POST');
    }
    await community.add('users', { user_id: 'recommended', username: 'known' });
    const known = await community.server.get(`${V2}?user_id=recommended`);
    expect([known.status, known.body.username]).toEqual([200, 'known']);
  });

  test('of an unknown viewer reflect new follows a minute later where lists may lag', async () => {
    await using community = await friends({ settings: { derived_lag_ms: 100 } });
    const { clock } = community.server;
    const most = async () => (await recommended(community, { user_id: 'stranger', top_k: 1 }))[0];
    expect(await most()).toMatchObject({ user_id: 'common', reasons: [{ type: 'popular', count: 2 }] });
    for (const user_id of ['a', 'b']) await community.follow(user_id, 'single');
    clock.advance(61);
    // The list may be renewed in the background of this request.
    await most();
    expect(await most()).toMatchObject({ user_id: 'single', reasons: [{ type: 'popular', count: 3 }] });
  });

  it('of a viewer token are those of its viewer', async (community) => {
    const { body } = await community.server.post('/api/tokens', { user_id: 'viewer', ttl_seconds: 60 });
    const token = { authorization: `Bearer ${body.token}` };
    const ask = (fields: Fields) => community.server.call('POST', `${V2}/recommended`, fields, token);
    expect(ids((await ask({})).body.body)).toEqual(['common', 'single']);
    expect((await ask({ user_id: 'f1' })).status).toBe(403);
    const similarFor = (viewer_id: string) =>
      community.server.call('GET', `${V2}/f1/similar?viewer_id=${viewer_id}`, undefined, token);
    expect((await similarFor('viewer')).status).toBe(200);
    const refused = await similarFor('f2');
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('viewer_id')]);
    await community.block('common', 'viewer');
    const { status } = await community.server.call('GET', `${V2}/common/similar`, undefined, token);
    expect(status).toBe(404);
  });
});

describe('an answer with metadata leaves out users who', () => {
  /** The answer, with blocks that arrive while the profiles are read. */
  async function withBlocks(
    community: Community,
    ask: () => Promise<Listed[]>,
    ...blocks: [string, string][]
  ): Promise<Listed[]> {
    const { store } = community.server.service;
    const readUsers = store.readUsers.bind(store);
    store.readUsers = async (seqs, given_up) => {
      store.readUsers = readUsers;
      for (const [one, other] of blocks) await community.block(one, other);
      return readUsers(seqs, given_up);
    };
    return ask();
  }

  it('were blocked while it was read, also as a reason', async (community) => {
    const ask = () => recommended(community, { return_metadata: true });
    const users = await withBlocks(community, ask, ['viewer', 'single'], ['f1', 'viewer']);
    expect(users).toMatchObject([
      { user_id: 'common', reasons: [{ type: 'followed_by', user_ids: ['f2'], count: 1 }] },
    ]);
  });

  test('have no reason left, and counts reasons without what may not be named any more', async () => {
    await using community = await openCommunity();
    for (const item_id of ['song', 'tune']) await community.addItem(item_id, { author_id: `by ${item_id}` });
    for (const user_id of ['viewer', 'fan']) await community.act(user_id, 'like', 'song');
    for (const user_id of ['viewer', 'fan', 'listener']) await community.act(user_id, 'like', 'tune');
    const ask = () => recommended(community, { return_metadata: true });
    const reasons = (users: readonly Listed[], user_id: string) =>
      reasonsOf(users, user_id)?.filter(({ type }) => type === 'liked_same');
    const before = await ask();
    expect(reasons(before, 'fan')).toMatchObject([{ count: 2 }]);
    expect(reasons(before, 'listener')).toEqual([{ type: 'liked_same', item_ids: ['tune'], count: 1 }]);
    const users = await withBlocks(community, ask, ['by tune', 'viewer']);
    expect(ids(users).toSorted()).toEqual(['by song', 'fan']);
    expect(reasons(users, 'fan')).toEqual([{ type: 'liked_same', item_ids: ['song'], count: 1 }]);
  });

  it('were blocked by the user that they are similar to while it was read', async (community) => {
    const ask = () => similar(community, 'common', '?return_metadata=true&viewer_id=f2');
    expect(ids(await ask())).toContain('single');
    expect(ids(await withBlocks(community, ask, ['common', 'single']))).not.toContain('single');
  });
});

describe('similar users', () => {
  it('have the same followers, and the number of these as the reason', async (community) => {
    const users = await similar(community, 'common');
    expect(reasonsOf(users, 'single')).toEqual([{ type: 'also_followed', count: 1 }]);
    expect(ids(users)).not.toContain('common');
    const by_query = await community.server.get(`${V2}/similar?user_id=common`);
    expect(by_query.body.body).toEqual(users);
  });

  it('are neither the viewer nor in a block with the viewer or the user', async (community) => {
    expect(ids(await similar(community, 'common', '?viewer_id=single'))).not.toContain('single');
    await community.block('f9', 'single');
    expect(ids(await similar(community, 'common', '?viewer_id=f9'))).not.toContain('single');
    await community.block('common', 'single');
    expect(ids(await similar(community, 'common'))).not.toContain('single');
  });

  it('of an unknown, hidden or blocked user are a 404', async (community) => {
    await community.add('users', { user_id: 'single', hidden: true });
    await community.block('common', 'viewer');
    for (const path of ['nobody/similar', 'single/similar', 'common/similar?viewer_id=viewer']) {
      const { status, body } = await community.server.get(`${V2}/${path}`);
      expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
    }
  });
});
