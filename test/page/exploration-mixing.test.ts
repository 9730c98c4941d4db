import { describe, expect, test } from 'bun:test';
import { type Fields, openCommunity } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { upTo } from './mixing-support.ts';

const DAY = 86_400;
const PERCENT = 20;
const TOP_K = 25;
const PAGES = 40;

/** 200 liked items of a followed author, 50 advertisements, and 60 new items of unknown authors. */
const community = await forFile(openCommunity({ settings: { exploration_percent: PERCENT } }));
const known = upTo(200).map((at) => ({
  item_id: `known-${at}`,
  channel: 'all',
  likes_count: 50 + (at % 37),
}));
const ads = upTo(50).map((at) => ({ item_id: `ad-${at}`, channel: 'ads', likes_count: 20 }));
const old = [...known, ...ads].map((item) => ({ ...item, author_id: 'big', created_at: START - 5 * DAY }));
const fresh = upTo(60).map((at) => ({
  item_id: `new-${at}`,
  author_id: `small-${at}`,
  channel: 'all',
  created_at: START - at,
}));
await community.add('items', ...old, ...fresh);
await community.add('follows', ...upTo(200).map((at) => ({ user_id: `fan-${at}`, target_user_id: 'big' })));

const BY_POPULARITY = { scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } } };

function page(seed: number, request: Fields): Promise<string[]> {
  return community.ids('for-you', { user_id: 'viewer', top_k: TOP_K, seed, ...BY_POPULARITY, ...request });
}

/** The average number of new items, and of main list items, per page. */
async function shown(request: Fields): Promise<{ fresh: number; own: number }> {
  const pages = await Promise.all(upTo(PAGES).map((seed) => page(seed, request)));
  for (const ids of pages) expect(new Set(ids).size).toBe(TOP_K);
  const count = (prefix: string) => pages.flat().filter((id) => id.startsWith(prefix)).length / PAGES;
  return { fresh: count('new-'), own: TOP_K - count('ad-') };
}

const promoting = (promotion: Fields) => ({ promotion_filters: [{ promotion_name: 'ad', ...promotion }] });
const feed = (percent: number) => ({ promotion_type: 'feed', percent, filters: { channels: ['ads'] } });

describe('new items of small authors keep their share of the slots beside a promotion', () => {
  test.each([
    ['nothing', {}],
    [
      'one pinned item',
      promoting({ promotion_type: 'items', promoted_items: [{ item_id: 'ad-0', rank: 1 }] }),
    ],
    ['a tenth of a feed', promoting(feed(10))],
    ['a third of a feed', promoting(feed(33))],
    ['half of a feed', promoting(feed(50))],
  ])('beside %s', async (_, promotion) => {
    const { fresh, own } = await shown({ filters: { channels: ['all'] }, ...promotion });
    // The slots are drawn at random, so the last one is not certain.
    expect(fresh / own).toBeGreaterThan((0.7 * PERCENT) / 100);
    expect(fresh / own).toBeLessThan((1.3 * PERCENT) / 100);
  });

  test('new items get no slots if a promotion fills the page', async () => {
    const { fresh } = await shown({ filters: { channels: ['all'] }, ...promoting(feed(100)) });
    expect(fresh).toBe(0);
  });
});

test("new items get a share of a fallback feed's items, and none of promoted items", async () => {
  const { status, body } = await community.server.post('/api/feed/config', {
    name: 'all',
    config: { ...BY_POPULARITY, filters: { channels: ['all'] } },
  });
  expect(status).toBe(201);
  const fallback_feeds = [{ feed_id: body.data.config_id }];
  const { fresh, own } = await shown({ filters: { channels: ['nowhere'] }, fallback_feeds });
  expect(own).toBe(TOP_K);
  expect(fresh / own).toBeGreaterThan((0.8 * PERCENT) / 100);
  const promotion = { promotion_type: 'feed', percent: 100, feed_id: body.data.config_id };
  expect((await shown({ filters: { channels: ['ads'] }, ...promoting(promotion) })).fresh).toBe(0);
});

test('new items get their share without any follows, and with 600 items dated ahead', async () => {
  await using unfollowed = await openCommunity({ settings: { exploration_percent: PERCENT } });
  const known = upTo(100).map((at) => ({ item_id: `known-${at}`, author_id: 'big', likes_count: 50 + at }));
  const fresh = upTo(60).map((at) => ({ item_id: `new-${at}`, author_id: `small-${at}` }));
  const ahead = upTo(600).map((at) => ({ item_id: `ahead-${at}`, author_id: 'planner' }));
  await unfollowed.add(
    'items',
    ...known.map((item) => ({ ...item, created_at: START - 5 * DAY })),
    ...fresh.map((item, at) => ({ ...item, created_at: START - at })),
    ...ahead.map((item, at) => ({ ...item, created_at: START + DAY + at })),
  );
  const pages = await Promise.all(
    upTo(PAGES).map((seed) =>
      unfollowed.ids('for-you', { user_id: 'viewer', top_k: TOP_K, seed, ...BY_POPULARITY }),
    ),
  );
  const explored = pages.flat().filter((id) => id.startsWith('new-')).length / PAGES;
  expect(explored / TOP_K).toBeGreaterThan((0.8 * PERCENT) / 100);
  expect(explored / TOP_K).toBeLessThan((1.2 * PERCENT) / 100);
});
