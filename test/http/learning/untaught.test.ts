import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedType } from '../../../src/plugin/index.ts';
import { checkAsync } from '../../support/long.ts';
import { openTestServer, START } from '../../support/service.ts';
import { Community, type Fields } from '../support.ts';
import { LEARNED } from './support.ts';

const USERS = ['u0', 'u1', 'u2', 'u3', 'u4'];
const user = fc.constantFrom(...USERS);
const ITEMS = 40;
const item = fc.nat(ITEMS - 1);
const hours = fc.nat(72);

const COMMUNITY = {
  authors: fc.array(user, { minLength: ITEMS, maxLength: ITEMS }),
  ages: fc.array(hours, { minLength: ITEMS, maxLength: ITEMS }),
  likes: fc.array(fc.tuple(user, fc.constantFrom('like', 'share', 'hide'), item, hours), { maxLength: 60 }),
  follows: fc.array(fc.tuple(user, user), { maxLength: 8 }),
  /** A part of the settings that every feed may have, with factors of scores among them. */
  config: fc.constantFrom<Fields>(
    ...[{}, { time_decay: 'high' }, { feed_diversity_config: { max_posts_per_author: 2 } }],
    { show_interacted_items: true, feed_diversity_config: { repeat_author_decay: 0.5 } },
  ),
};

/** All pages of a feed, by cursor. */
async function allPages(community: Community, feed_type: FeedType, request: Fields): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
    const { status, body } = await community.ask(feed_type, { ...request, cursor });
    expect(status).toBe(200);
    pages.push(body.body);
    cursor = body.cursor;
  }
  return pages;
}

test('with nothing learnt, all pages are exactly those of the default, with its scores', async () => {
  await checkAsync(12, [fc.record(COMMUNITY)], async ({ authors, ages, likes, follows, config }) => {
    await using community = new Community(await openTestServer({ settings: { exploration_percent: 10 } }));
    const at = (ago: number) => START - 3_600 * ago;
    const items = authors.map((author_id, index) => ({
      ...{ item_id: `i${index}`, author_id, created_at: at(ages[index]), channel: `c${index % 4}` },
    }));
    await community.add('items', ...items);
    const pairs = follows.filter(([one, other]) => one !== other);
    if (pairs.length > 0)
      await community.add(
        'follows',
        ...pairs.map(([user_id, target_user_id]) => ({ user_id, target_user_id })),
      );
    const acts = likes.map(([user_id, event_type, index, ago]) => ({
      ...{ user_id, event_type, item_id: `i${index}`, timestamp: at(ago) },
    }));
    if (acts.length > 0) await community.add('interactions', ...acts);
    for (const feed_type of ['for-you', 'trending'] as const)
      for (const user_id of ['u0', 'u1', 'stranger']) {
        const request = { user_id, seed: 7, top_k: 11, return_metadata: true, ...config };
        const learned = await allPages(community, feed_type, { ...request, scoring: LEARNED });
        expect(learned).toEqual(await allPages(community, feed_type, request));
        expect(learned.length).toBeGreaterThan(1);
      }
  });
});
