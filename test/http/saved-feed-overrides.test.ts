import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { START } from '../support/service.ts';
import { type Account, defaultAccount, expectRefused } from './config-support.ts';
import { type Community, type Fields, openCommunity } from './support.ts';

let community: Community;
let account: Account;
const CHANNELS = ['art', 'music'];

/** 40 items, two channels and four authors by turns; the lower the number, the more liked and the newer. */
beforeAll(async () => {
  community = await openCommunity();
  account = defaultAccount(community.server);
  const items = Array.from({ length: 40 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at % 4}`,
    created_at: START - at * 3600,
    channel: CHANNELS[at % 2],
    likes_count: 100 - at,
    language: at % 8 === 0 ? 'de' : 'en',
  }));
  await community.add('items', ...items);
  await community.act('fan', 'like', 'item-0');
});
afterAll(() => community.server.close());

const POPULAR = 'casts/feed/popular';
let feed_id: string;
beforeEach(async () => {
  feed_id = await account.add({ endpoint: POPULAR });
});

/** The numbers of the items on a page of the saved feed. */
async function page(request: Fields = {}, feed_type = 'popular'): Promise<number[]> {
  const ids = await account.page(feed_type, { feed_id, ...request });
  return ids.map((id) => Number(id.slice('item-'.length)));
}

function save(config: Fields): Promise<Fields> {
  return account.set(feed_id, { config });
}

const all = Array.from({ length: 40 }, (_, at) => at);
const channel = (name: string) => all.filter((at) => CHANNELS[at % 2] === name);

describe("a request's value wins over the saved one", () => {
  const cases: [string, Fields, Fields, number[]][] = [
    ['top_k', { top_k: 3 }, { top_k: 2 }, [1, 2]],
    ['a larger top_k', { top_k: 3 }, { top_k: 4 }, [1, 2, 3, 4]],
    ['a filter', { top_k: 2, filters: { channels: ['art'] } }, { filters: { channels: ['music'] } }, [1, 3]],
    ['false over true', { top_k: 2, show_interacted_items: true }, { show_interacted_items: false }, [1, 2]],
    ['true over false', { top_k: 2, show_interacted_items: false }, { show_interacted_items: true }, [0, 1]],
    [
      'diversity, as a whole',
      { feed_diversity_config: { max_posts_per_author: 1 } },
      { feed_diversity_config: { min_distance_between_posts_from_same_author: 9 }, top_k: 3 },
      [1, 2, 3],
    ],
  ];
  for (const [name, config, request, wanted] of cases) {
    test(name, async () => {
      await save(config);
      expect(await page({ user_id: 'fan', ...request })).toEqual(wanted);
    });
  }

  test('and leaves the saved feed as it is', async () => {
    const { config } = await save({ top_k: 2, filters: { channels: ['art'] } });
    await page({ top_k: 7, filters: { channels: ['music'], author_ids: ['author-1'] } });
    expect(await page()).toEqual([0, 2]);
    expect((await account.get(feed_id)).body.data.config).toEqual(config);
  });

  test('and is refused like any other when it is wrong', async () => {
    await save({ filters: { channels: ['art'] } });
    for (const [request, path] of [
      [{ filters: { channels: [5] } }, '/filters/channels/0'],
      [{ filters: { chanels: [] } }, '/filters/chanels'],
      [{ filters: { chanels: null } }, '/filters/chanels'],
      [{ scoring: 'nonsense' }, '/scoring'],
      [{ top_k: 0 }, '/top_k'],
    ] as const) {
      const answer = await account.ask('popular', { feed_id, ...request });
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors.map((error: Fields) => error.path)).toEqual([path]);
    }
  });
});

describe('filters are overridden key by key', () => {
  beforeEach(() => save({ top_k: 500, filters: { channels: ['art'], author_ids: ['author-0'] } }));
  const saved = all.filter((at) => at % 4 === 0);

  const cases: [string, Fields, number[]][] = [
    ['none given', {}, saved],
    ['an empty object changes nothing', { filters: {} }, saved],
    ['null changes nothing', { filters: null }, saved],
    ['a key that is null changes nothing', { filters: { channels: null } }, saved],
    [
      'a given key replaces the same',
      { filters: { author_ids: ['author-2'] } },
      all.filter((at) => at % 4 === 2),
    ],
    ['a given key does not add to the same', { filters: { author_ids: ['author-1'] } }, []],
    [
      'a key that was not saved is added',
      { filters: { languages: ['de'] } },
      all.filter((at) => at % 8 === 0),
    ],
    ['an empty list switches one off', { filters: { author_ids: [] } }, channel('art')],
    ['an empty string switches one off', { filters: { author_ids: '' } }, channel('art')],
    ['none switches one off', { filters: { author_ids: 'none' } }, channel('art')],
    [
      'each for itself',
      { filters: { channels: [], author_ids: ['author-1'] } },
      all.filter((at) => at % 4 === 1),
    ],
    ['all of them one by one', { filters: { channels: [], author_ids: 'none' } }, all],
    ['all of them by an empty list', { filters: [] }, all],
    ['all of them by none', { filters: 'none' }, all],
    ['all of them by an empty string', { filters: '' }, all],
  ];
  for (const [name, request, wanted] of cases) {
    test(name, async () => {
      expect(await page(request)).toEqual(wanted);
    });
  }
});

describe('a saved value is switched off by', () => {
  const saved: Fields = {
    top_k: 2,
    filters: { channels: ['art'] },
    scoring: { name: 'all' },
    time_decay: 'high',
    show_interacted_items: true,
    remove_user_posts_from_feed: true,
    return_only_posts_with_social_proof: true,
    feed_diversity_config: { max_posts_per_author: 1 },
    return_metadata: true,
  };
  for (const off of ['', [], 'none']) {
    test(`${JSON.stringify(off)} in the request`, async () => {
      await save(saved);
      expect(await page()).toEqual([]);
      const nothing = Object.fromEntries(Object.keys(saved).map((name) => [name, off]));
      const { status, body } = await account.ask('popular', { feed_id, user_id: 'fan', ...nothing });
      const plain = await account.ask('popular', { user_id: 'fan' });
      const renamed = JSON.stringify(plain.body).replaceAll('main:popular', `main:${feed_id}`);
      expect([status, JSON.stringify(body)]).toEqual([200, renamed]);
    });

    test(`${JSON.stringify(off)} when it was saved as such`, async () => {
      await save(Object.fromEntries(Object.keys(saved).map((name) => [name, off])));
      expect(await page()).toEqual(all.slice(0, 25));
    });
  }

  test('nothing else: null leaves it as it is', async () => {
    await save({
      top_k: 2,
      filters: { channels: ['art'] },
      feed_diversity_config: { max_posts_per_author: 1 },
    });
    expect(await page({ top_k: null, filters: null, feed_diversity_config: null, scoring: null })).toEqual([
      0, 2,
    ]);
  });
});
