import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { forFile, START } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

/** 120 items of 6 authors and one of an unknown author, an hour apart, each with a different number of likes. */
const ITEMS = Array.from({ length: 120 }, (_, at) => ({
  item_id: `item-${String(at).padStart(3, '0')}`,
  author_id: `author-${(at * 7) % 6}`,
  created_at: START - at * 3600,
  likes_count: (at * 37) % 101,
}));
type Item = (typeof ITEMS)[number];
const community = await forFile(openCommunity());
await community.add('items', ...ITEMS);

const popularity = ({ likes_count }: Item): number => likes_count / (likes_count + 20);
const halved = (hours: number) => (item: Item) => 0.5 ** ((START - item.created_at) / 3600 / hours);

function ranked(score: (item: Item) => number): Item[] {
  return ITEMS.toSorted(
    (a, b) => score(b) - score(a) || b.created_at - a.created_at || (a.item_id < b.item_id ? -1 : 1),
  );
}

/** The limits of `feed_diversity_config`, naively: at each slot the best item that may stand there. */
function spread(items: Item[], length: number, most: number, distance: number): Item[] {
  const page: Item[] = [];
  while (page.length < length) {
    const next = items.find(
      (item) =>
        !page.includes(item) &&
        page.filter(({ author_id }) => author_id === item.author_id).length < most &&
        !page
          .slice(Math.max(0, page.length - distance))
          .some(({ author_id }) => author_id === item.author_id),
    );
    if (next === undefined) break;
    page.push(next);
  }
  return page;
}

const ids = (items: { item_id: string }[]): string[] => items.map(({ item_id }) => item_id);

describe('time decay', () => {
  const decays: [unknown, number][] = [
    ['low', 168],
    ['medium', 48],
    ['high', 12],
    [{ half_life_hours: 3.5 }, 3.5],
  ];
  test.each(decays)(
    'time decay %p halves scores at its half-life and orders the page by the result',
    async (time_decay, hours) => {
      const page = await community.page('popular', { top_k: 40, time_decay });
      expect(ids(page)).toEqual(ids(ranked((item) => popularity(item) * halved(hours)(item)).slice(0, 40)));
      for (const { item_id, score, adjusted_score } of page) {
        const item = ITEMS.find((known) => known.item_id === item_id);
        expect(score).toBeCloseTo(item ? popularity(item) : -1, 12);
        expect(adjusted_score).toBeCloseTo(item ? popularity(item) * halved(hours)(item) : -1, 12);
      }
    },
  );

  test('the default time decay is none', async () => {
    const plain = await community.page('popular', { top_k: 40 });
    expect(await community.page('popular', { top_k: 40, time_decay: 'none' })).toEqual(plain);
    expect(ids(plain)).toEqual(ids(ranked(popularity).slice(0, 40)));
  });
});

describe('diversity', () => {
  test('diversity keeps both limits and gives each slot to the best item that is allowed there', async () => {
    await checkAsync(
      100,
      [fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 60 })],
      async (most, distance, top_k) => {
        const feed_diversity_config = {
          max_posts_per_author: most,
          min_distance_between_posts_from_same_author: distance,
        };
        const page = await community.page('popular', { top_k, feed_diversity_config });
        expect(ids(page)).toEqual(ids(spread(ranked(popularity), top_k, most, distance)));
      },
    );
  });

  test('diversity searches for other authors before the page ends', async () => {
    const page = await community.page('for-you', {
      user_id: 'viewer',
      top_k: 6,
      feed_diversity_config: { max_posts_per_author: 1 },
    });
    expect(page).toHaveLength(6);
  });
});

describe('plain pages', () => {
  test('plain pages cut the whole list into pages', async () => {
    const seen: string[] = [];
    for (let page_number = 1; page_number <= 7; page_number++) {
      seen.push(
        ...ids(
          await community.page('popular', {
            user_id: 'reader',
            page_size: 20,
            page_number,
            impression_count: 20,
          }),
        ),
      );
    }
    expect(seen).toEqual(ids(ranked(popularity)));
  });

  test('plain pages start at the first page with 25 items', async () => {
    const [first, size] = [
      await community.page('popular', { page_number: 1 }),
      await community.page('popular', { page_size: 25 }),
    ];
    expect(first).toHaveLength(25);
    expect(ids(first)).toEqual(ids(size));
  });

  test('plain pages are ignored if the request has top_k, and on for-you feeds with a warning', async () => {
    expect(ids(await community.page('popular', { top_k: 3, page_number: 2 }))).toEqual(
      ids(ranked(popularity).slice(0, 3)),
    );
    const { body } = await community.ask('for-you', { user_id: 'other', page_size: 5 });
    expect(body.body).toHaveLength(25);
    expect(body.warnings).toHaveLength(1);
  });
});

describe('social proof only', () => {
  test('return_only_posts_with_social_proof shows only items that followed users liked, commented or shared', async () => {
    await community.add('follows', { user_id: 'fan', target_user_id: 'friend' });
    await community.act('friend', 'like', 'item-003');
    await community.act('friend', 'comment', 'item-100');
    await community.act('friend', 'bookmark', 'item-050');
    await community.act('friend', 'view', 'item-051');
    await community.act('stranger', 'like', 'item-052');
    for (const feed_type of ['for-you', 'trending', 'popular'] as const) {
      const page = await community.page(feed_type, {
        user_id: 'fan',
        return_only_posts_with_social_proof: true,
      });
      expect(ids(page).toSorted()).toEqual(['item-003', 'item-100']);
    }
    await community.add('blocks', { user_id: 'friend', target_user_id: 'fan' });
    expect(
      await community.page('popular', { user_id: 'fan', return_only_posts_with_social_proof: true }),
    ).toEqual([]);
  });
});
