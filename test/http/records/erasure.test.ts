import { describe, expect } from 'bun:test';
import { testsWith } from '../../support/fixture.ts';
import { START } from '../../support/service.ts';
import { type Community, FEED_TYPES, type Fields, ingestPath, openCommunity } from '../support.ts';

const it = testsWith(openWithUser);

/**
 * `gone` wrote two items, follows and is followed, acted on `shared`, and is in blocks; `viewer` follows
 * them and others acted on their items.
 */
async function openWithUser(): Promise<Community> {
  const community = await openCommunity();
  const item = (item_id: string, author_id: string, at: number) => ({
    item_id,
    author_id,
    created_at: START - at,
    text: `by ${author_id}`,
  });
  await community.add('users', { user_id: 'gone', username: 'secret name', wallet_addresses: ['0xdead'] });
  await community.add(
    'items',
    item('own-1', 'gone', 5),
    item('own-2', 'gone', 6),
    item('shared', 'author', 7),
    item('reached', 'author', 8),
  );
  await community.add(
    'follows',
    { user_id: 'viewer', target_user_id: 'gone' },
    { user_id: 'gone', target_user_id: 'author' },
    { user_id: 'gone', target_user_id: 'viewer' },
  );
  const act = (user_id: string, event_type: string, item_id: string, at: number) => ({
    user_id,
    event_type,
    item_id,
    timestamp: START - at,
  });
  await community.add(
    'interactions',
    act('gone', 'like', 'shared', 4),
    act('gone', 'comment', 'shared', 3),
    act('gone', 'share', 'reached', 3),
    act('viewer', 'like', 'own-2', 2),
    act('fan', 'share', 'own-1', 1),
    act('gone', 'hide', 'own-2', 1),
  );
  return community;
}

const REQUEST = { user_id: 'viewer', show_interacted_items: true };

describe('erasing a user', () => {
  it('an erasure removes the items of the user from answers, even if others acted on them', async (community) => {
    for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, REQUEST)).toHaveLength(4);
    await community.remove('users', 'gone');
    for (const feed_type of FEED_TYPES) {
      expect((await community.ids(feed_type, REQUEST)).sort()).toEqual(['reached', 'shared']);
      const filters = { author_ids: ['gone'] };
      expect(await community.ids(feed_type, { ...REQUEST, filters })).toEqual([]);
    }
    for (const id of ['own-1', 'own-2']) expect(await community.stored('items', id)).toBeUndefined();
  });

  it('an erasure removes the acts of the user from counts, social proof and scores of others', async (community) => {
    const before = await community.shown('shared', { ...REQUEST, return_metadata: true });
    expect(before).toMatchObject({
      social_proof: [{ user_id: 'gone', interaction: 'comment' }],
      following_engagement: { like: 1, comment: 1, share: 0 },
      metadata: { likes_count: 1, comments_count: 1 },
    });
    const [scored] = await community.page('for-you', { ...REQUEST, filters: { author_ids: ['author'] } });
    expect(scored.affinity_score).toBeGreaterThan(0);
    await community.remove('users', 'gone');
    expect(await community.shown('shared', { ...REQUEST, return_metadata: true })).toMatchObject({
      score: 0,
      popular_score: 0,
      social_proof: [],
      following_engagement: { like: 0, comment: 0, share: 0 },
      metadata: { likes_count: 0, comments_count: 0 },
    });
    for (const { affinity_score, interest_score } of await community.page('for-you', REQUEST)) {
      expect([affinity_score, interest_score]).toEqual([0, 0]);
    }
  });

  it('an erasure removes what the taste of the user recommended to others', async (community) => {
    await community.act('alike', 'like', 'shared');
    const interest = async () =>
      (await community.page('for-you', { user_id: 'alike' })).find(({ item_id }) => item_id === 'reached')
        ?.interest_score;
    expect(await interest()).toBeGreaterThan(0);
    await community.remove('users', 'gone');
    expect(await interest()).toBe(0);
  });

  it('an erasure removes the follows of the user in both directions', async (community) => {
    await community.remove('users', 'gone');
    const following = (author_ids: string, user_id: string) =>
      community.ids('popular', { user_id, filters: { author_ids }, show_interacted_items: true });
    expect(await following('following', 'viewer')).toEqual([]);
    expect(await following('following', 'gone')).toEqual([]);
    expect(await following('following:gone', 'viewer')).toEqual([]);
    expect(await community.stored('users', 'viewer')).toMatchObject({
      counts: { following: 0, followers: 0, interactions: 0 },
      follows: [],
      interactions: [],
    });
    expect(await community.stored('users', 'author')).toMatchObject({ counts: { followers: 0 } });
  });

  it('an erasure removes the profile and the wallet of the user', async (community) => {
    await community.remove('users', 'gone');
    expect(await community.stored('users', 'gone')).toBeUndefined();
    const request = { wallet_address: '0xdead', show_interacted_items: false };
    expect((await community.ids('for-you', request)).sort()).toEqual(['reached', 'shared']);
  });
});

it('a user_id that is used again after an erasure is a new user', async (community) => {
  await community.page('popular', { user_id: 'gone', impression_count: 9 });
  await community.block('gone', 'author');
  await community.remove('users', 'gone');
  await community.add('users', { user_id: 'gone', display_name: 'new', revive: true });
  expect(await community.stored('users', 'gone')).toEqual({
    user_id: 'gone',
    display_name: 'new',
    counts: { items: 0, following: 0, followers: 0, interactions: 0 },
    follows: [],
    interactions: [],
  });
  expect((await community.ids('popular', { user_id: 'gone' })).sort()).toEqual(['reached', 'shared']);
  await community.addItem('own-1', { author_id: 'gone' });
  const page = await community.page('popular', { ...REQUEST, return_metadata: true });
  const own = page.find(({ item_id }) => item_id === 'own-1');
  expect(own?.metadata).toMatchObject({ text: '', shares_count: 0, author: { display_name: 'new' } });
  expect(own?.social_proof).toEqual([]);
  expect(page.map(({ item_id }) => item_id)).not.toContain('own-2');
});

it('a feed request for an erased user is answered as for an unknown viewer', async (community) => {
  await community.remove('users', 'gone');
  const before = community.seq;
  expect((await community.ids('for-you', { user_id: 'gone' })).sort()).toEqual(['reached', 'shared']);
  expect(community.seq).toBe(before);
});

it('late records of an erased user or item bring nothing back', async (community) => {
  await community.remove('users', 'gone');
  await community.act('late', 'like', 'own-1');
  await community.follow('late', 'gone');
  expect(await community.ids('popular', REQUEST)).not.toContain('own-1');
  expect(await community.stored('users', 'gone')).toMatchObject({ counts: { items: 0, followers: 1 } });
  expect((await community.stored('users', 'gone'))?.username).toBeUndefined();
  const partial = await community.server.post(ingestPath('items'), { item_id: 'own-1', text: 'again' });
  expect(partial.status).toBe(400);
});

it('an update of an item during the erasure of its author brings back neither', async (community) => {
  const post = (record: Fields) => community.server.post(ingestPath('items'), record);
  const item = { item_id: 'own-3', author_id: 'gone', created_at: START };
  await Promise.all([
    community.server.service.ingest.ingest('items', [item, { item_id: 'reached', author_id: 'successor' }]),
    community.remove('users', 'gone'),
    post({ item_id: 'own-1', text: 'changed' }),
    post({ item_id: 'own-3', text: 'changed' }),
  ]);
  expect(await community.stored('users', 'gone')).toBeUndefined();
  for (const id of ['own-1', 'own-2', 'own-3']) {
    expect(await community.stored('items', id)).toBeUndefined();
    expect((await post({ item_id: id, text: 'late' })).status).toBe(400);
  }
  expect(await community.stored('items', 'reached')).toMatchObject({ author_id: 'successor' });
});

it('an item that another author took over stays when its first author is erased', async (community) => {
  const taken = [
    { item_id: 'own-1', author_id: 'author' },
    { item_id: 'shared', author_id: 'gone' },
  ];
  await Promise.all([
    community.server.service.ingest.ingest('items', taken),
    community.remove('users', 'gone'),
  ]);
  expect((await community.ids('popular')).sort()).toEqual(['own-1', 'reached']);
  await community.add('items', { item_id: 'own-1', text: 'still here' });
});

it('an item that is posted again during the erasure of its author exists', async (community) => {
  const [, answer] = await Promise.all([
    community.remove('users', 'gone'),
    community.server.post(ingestPath('items'), {
      item_id: 'own-1',
      author_id: 'author',
      created_at: START,
    }),
  ]);
  expect(answer.status).toBe(200);
  expect((await community.ids('popular')).sort()).toEqual(['own-1', 'reached', 'shared']);
  expect((await community.stored('items', 'own-1'))?.text).toBeUndefined();
});

it('records sent during an erasure are either gone or belong to the new user', async (community) => {
  const [, ...answers] = await Promise.all([
    community.remove('users', 'gone'),
    community.server.post(ingestPath('items'), {
      item_id: 'own-3',
      author_id: 'gone',
      created_at: START,
    }),
    community.server.post(ingestPath('users'), { user_id: 'gone', display_name: 'after' }),
    community.server.post(ingestPath('interactions'), {
      user_id: 'gone',
      item_id: 'shared',
      event_type: 'share',
    }),
    community.server.post(ingestPath('follows'), { user_id: 'viewer', target_user_id: 'gone' }),
    community.ask('popular', { user_id: 'gone', impression_count: 3 }),
  ]);
  for (const { status } of answers) expect(status).toBe(200);
  const user = await community.stored('users', 'gone');
  expect(user?.username).toBeUndefined();
  const { metadata } = await community.shown('shared', { ...REQUEST, return_metadata: true });
  expect([metadata?.likes_count, metadata?.comments_count]).toEqual([0, 0]);
  const ids = await community.ids('popular', REQUEST);
  for (const old of ['own-1', 'own-2']) expect(ids).not.toContain(old);
  expect(community.server.log).toEqual([]);
});
