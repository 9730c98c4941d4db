import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Community, FEED_TYPES, type Fields, KEY, openCommunity } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'reasoning-plugin.ts');
const DAY = 86_400;
const VIEWER = { user_id: 'viewer' };
const CROWD = Array.from({ length: 6 }, (_, at) => `reader-${at}`);

/**
 * `viewer` follows `writer` and `friend`, and likes what `reader-0` to `reader-5` like. Nobody has reacted to `quiet`.
 */
async function openTown(): Promise<Community> {
  const community = await openCommunity({ settings: { plugins: PLUGIN, exploration_percent: 0 } });
  const created_at = START - DAY;
  for (const [item_id, author_id, channel] of [
    ['of writer', 'writer', 'news'],
    ['liked by friend', 'stranger', 'news'],
    ['bookmarked by friend', 'stranger', 'news'],
    ['liked by the crowd', 'stranger', 'music'],
    ['known', 'stranger', 'music'],
    ['quiet', 'stranger', 'old'],
  ])
    await community.add('items', { item_id, author_id, channel, created_at });
  for (const target of ['writer', 'friend']) await community.follow('viewer', target);
  await community.act('friend', 'comment', 'liked by friend');
  await community.act('friend', 'bookmark', 'bookmarked by friend');
  await community.act('viewer', 'like', 'known');
  for (const reader of CROWD)
    for (const item of ['known', 'liked by the crowd']) await community.act(reader, 'like', item);
  return community;
}

const town = await forFile(openTown());
const account = defaultAccount(town.server);

type Reasons = { type: string; user_ids?: string[] }[];

async function reasonsIn(
  feed_type: 'for-you' | 'trending' | 'popular',
  item_id: string,
  request: Fields = {},
): Promise<Reasons | undefined> {
  const page = await town.page(feed_type, { ...VIEWER, top_k: 20, seed: 1, reasons: true, ...request });
  for (const { reasons = [] } of page) expect(reasons.length).toBeGreaterThan(0);
  return page.find((item) => item.item_id === item_id)?.reasons;
}

const BY_WRITER = { type: 'followed_author', user_ids: ['writer'] };
const BY_FRIEND = { type: 'followed_liked', user_ids: ['friend'] };
const AFFINITY = { scoring: 'user_affinity_all_following_v0.0.1' };
const INTEREST = { scoring: 'user_interest_all_v0.0.1' };
const LATEST = { scoring: 'newest_v0.0.1' };
const FOLLOWING = { filters: { author_ids: 'following' } };
const PROVEN = { return_only_posts_with_social_proof: true };
const OWN = (name: string) => ({ scoring: `reasoning/${name}_v1.0.0` });

describe('reasons', () => {
  test.each<[string, 'for-you' | 'trending' | 'popular', string, Fields, Reasons]>([
    ['an item of a followed author', 'for-you', 'of writer', AFFINITY, [BY_WRITER]],
    ['the followed users who acted on an item', 'for-you', 'liked by friend', AFFINITY, [BY_FRIEND]],
    ['nobody who only bookmarked', 'for-you', 'bookmarked by friend', AFFINITY, [{ type: 'new_here' }]],
    ['like taste', 'for-you', 'liked by the crowd', INTEREST, [{ type: 'similar_taste' }]],
    [
      'the author of a feed of followed users',
      'for-you',
      'of writer',
      { ...FOLLOWING, ...LATEST },
      [BY_WRITER],
    ],
    [
      'social proof that a feed needs',
      'popular',
      'liked by friend',
      PROVEN,
      [{ type: 'popular' }, BY_FRIEND],
    ],
    ['what is trending', 'trending', 'liked by the crowd', {}, [{ type: 'trending' }]],
    ['what is popular', 'popular', 'liked by the crowd', {}, [{ type: 'popular' }]],
    ['an item without reactions', 'popular', 'quiet', {}, [{ type: 'new_here' }]],
    ['an item that is only expected to trend', 'trending', 'quiet', {}, [{ type: 'new_here' }]],
    ['a feed by time', 'for-you', 'liked by the crowd', LATEST, [{ type: 'new_here' }]],
    ["a plugin's signal", 'popular', 'quiet', OWN('tasteful'), [{ type: 'similar_taste' }]],
    ["a plugin's signal without a reason", 'popular', 'quiet', OWN('silent'), [{ type: 'new_here' }]],
    [
      'engagement if scores say nothing',
      'popular',
      'known',
      { ...OWN('silent'), user_id: 'x' },
      [{ type: 'popular' }],
    ],
  ])('name %s', async (_, feed_type, item_id, request, expected) => {
    const reasons = await reasonsIn(feed_type, item_id, request);
    const byType = (list: Reasons = []) => list.toSorted((one, other) => (one.type < other.type ? -1 : 1));
    expect(byType(reasons)).toEqual(byType(expected));
  });

  test('are in the order of what they add to the score', async () => {
    const weighted = (popular: number, affinity_all: number) =>
      reasonsIn('popular', 'liked by friend', {
        scoring: { name: 'weighted_v0.0.1', options: { weights: { popular, affinity_all } } },
      });
    expect(await weighted(1, 0.001)).toEqual([{ type: 'popular' }]);
    expect(await weighted(1, 1)).toEqual([BY_FRIEND]);
    expect(await weighted(1, 0.03)).toEqual([{ type: 'popular' }, BY_FRIEND]);
    expect(await weighted(1, 0.3)).toEqual([BY_FRIEND, { type: 'popular' }]);
  });

  test('name where a slot comes from: a promotion, a fallback feed, seen items, the cold start feed', async () => {
    const promotion = {
      promotion_type: 'items',
      promotion_name: 'ad',
      promoted_items: [{ item_id: 'quiet' }],
    };
    expect(await reasonsIn('popular', 'quiet', { promotion_filters: [promotion] })).toEqual([
      { type: 'promoted' },
    ]);
    const narrow = { filters: { channels: ['old'] }, return_global_fallback: true };
    expect(await reasonsIn('popular', 'quiet', narrow)).toEqual([{ type: 'new_here' }]);
    expect(await reasonsIn('popular', 'known', { ...narrow, user_id: 'x' })).toEqual([
      { type: 'fallback' },
      { type: 'popular' },
    ]);
    const again = { user_id: 'returning', seen: { mode: 'last' } };
    await town.page('popular', { ...again, impression_count: 1000 });
    expect(await reasonsIn('popular', 'known', again)).toEqual([{ type: 'seen_before' }]);
    const feed_id = await account.add({ endpoint: 'feeds/popular', config: {} });
    const cold = { user_id: 'newcomer', cold_start_feed: feed_id };
    expect(await reasonsIn('for-you', 'known', cold)).toEqual([{ type: 'new_here' }, { type: 'popular' }]);
    expect(await reasonsIn('for-you', 'quiet', cold)).toEqual([{ type: 'new_here' }]);
  });

  test('name what the viewer wants more of, and no taste of a viewer without personal pages', async () => {
    const prefer = async (preferences: Fields) => {
      const path = '/v2/community/users/choosy/preferences';
      expect((await town.server.call('PUT', path, preferences, KEY)).status).toBe(200);
    };
    const choosy = { user_id: 'choosy' };
    await town.act('choosy', 'like', 'known');
    expect(await reasonsIn('popular', 'liked by the crowd', choosy)).toEqual([{ type: 'popular' }]);
    const taste = { ...choosy, ...INTEREST };
    expect(await reasonsIn('for-you', 'liked by the crowd', taste)).toEqual([{ type: 'similar_taste' }]);
    await prefer({ more: [{ kind: 'channel', value: 'music' }], personalised: false });
    expect(await reasonsIn('popular', 'liked by the crowd', choosy)).toEqual([
      { type: 'popular' },
      { type: 'more_of' },
    ]);
    expect(await reasonsIn('popular', 'liked by friend', choosy)).toEqual([{ type: 'popular' }]);
    const impersonal = (await reasonsIn('for-you', 'liked by the crowd', taste)) ?? [];
    expect(impersonal.map(({ type }) => type).toSorted()).toEqual(['more_of', 'trending']);
  });

  test('of an item that is tried out say that it is new', async () => {
    await using community = await openCommunity({ settings: { exploration_percent: 20 } });
    const items = Array.from({ length: 60 }, (_, at) => ({
      item_id: `hit ${at}`,
      likes_count: 50 + at,
      ...BASE,
    }));
    const fresh = Array.from({ length: 60 }, (_, at) => ({
      item_id: `new ${at}`,
      ...BASE,
      author_id: `a ${at}`,
    }));
    await community.add('items', ...items, ...fresh);
    const page = await community.page('for-you', { ...VIEWER, top_k: 20, seed: 3, reasons: true });
    const explored = page.filter(({ item_id }) => item_id.startsWith('new'));
    expect(explored.length).toBeGreaterThan(0);
    for (const { reasons } of explored) expect(reasons).toEqual([{ type: 'new_here' }]);
  });

  test('are absent unless they are requested, and change nothing else of any page', async () => {
    for (const feed_type of FEED_TYPES) {
      for (const request of [{}, { page_size: 2, page_number: 2 }, FOLLOWING, AFFINITY, { explain: true }]) {
        if (feed_type !== 'for-you' && request === AFFINITY) continue;
        const wanted = { ...VIEWER, seed: 4, ...request };
        const without = await town.page(feed_type, wanted);
        expect(JSON.stringify(without)).not.toContain('"reasons"');
        const page = await town.page(feed_type, { ...wanted, reasons: true });
        for (const item of page) expect(item.reasons?.length).toBeGreaterThan(0);
        expect(JSON.stringify(page.map(({ reasons: _, ...item }) => item))).toBe(JSON.stringify(without));
      }
    }
  });

  test('follow a cursor, may be saved, and are in previews and explanations', async () => {
    const config = { reasons: true, top_k: 2 };
    const feed_id = await account.add({ endpoint: 'feeds/popular', config });
    const { body: first } = await town.ask('popular', { feed_id, ...VIEWER });
    const { body: next } = await town.ask('popular', { feed_id, ...VIEWER, cursor: first.cursor });
    for (const { reasons } of [...first.body, ...next.body]) expect(reasons.length).toBeGreaterThan(0);
    expect(next.body).toHaveLength(2);
    expect(await town.ask('popular', { feed_id, reasons: false })).not.toHaveProperty('body.body.0.reasons');
    const { body: preview } = await town.server.post('/api/feed/preview', {
      ...{ endpoint: 'feeds/popular', config },
      ...VIEWER,
    });
    expect(preview.body.map(({ reasons }: Fields) => reasons)).toEqual(
      first.body.map(({ reasons }: Fields) => reasons),
    );
    const { item_id, reasons } = first.body[0];
    const question = { ...VIEWER, item_id, top_k: 2 };
    expect((await town.ask('popular/explain', { ...question, reasons: true })).body.body.reasons).toEqual(
      reasons,
    );
    expect((await town.ask('popular/explain', question)).body.body).not.toHaveProperty('reasons');
  });

  test('must be requested by true or false', async () => {
    for (const reasons of [1, 'yes', {}]) {
      const { status, body } = await town.ask('popular', { reasons });
      expect([status, body.errors?.[0]?.path]).toEqual([400, '/reasons']);
    }
  });
});

const BASE = { author_id: 'famous', created_at: START };
