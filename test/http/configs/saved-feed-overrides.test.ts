import { beforeEach, describe, expect, test } from 'bun:test';
import { expectRefused } from '../config-support.ts';
import type { Fields } from '../support.ts';
import { all, channel, savedFeedWorld } from './saved-feed-world.ts';

const world = savedFeedWorld();

describe('a value of the request wins over the saved one', () => {
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
      await world.save(config);
      expect(await world.page({ user_id: 'fan', ...request })).toEqual(wanted);
    });
  }

  test('an override does not change the saved feed', async () => {
    const { config } = await world.save({ top_k: 2, filters: { channels: ['art'] } });
    await world.page({ top_k: 7, filters: { channels: ['music'], author_ids: ['author-1'] } });
    expect(await world.page()).toEqual([0, 2]);
    expect((await world.account.get(world.feed_id)).body.data.config).toEqual(config);
  });

  test('an invalid override is refused like any other value', async () => {
    await world.save({ filters: { channels: ['art'] } });
    for (const [request, path] of [
      [{ filters: { channels: [5] } }, '/filters/channels/0'],
      [{ filters: { chanels: [] } }, '/filters/chanels'],
      [{ filters: { chanels: null } }, '/filters/chanels'],
      [{ scoring: 'nonsense' }, '/scoring'],
      [{ top_k: 0 }, '/top_k'],
    ] as const) {
      const answer = await world.account.ask('popular', { feed_id: world.feed_id, ...request });
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors.map((error: Fields) => error.path)).toEqual([path]);
    }
  });
});

describe('filters are overridden key by key', () => {
  beforeEach(() => world.save({ top_k: 500, filters: { channels: ['art'], author_ids: ['author-0'] } }));
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
      expect(await world.page(request)).toEqual(wanted);
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
      await world.save(saved);
      expect(await world.page()).toEqual([]);
      const nothing = Object.fromEntries(Object.keys(saved).map((name) => [name, off]));
      const { status, body } = await world.account.ask('popular', {
        feed_id: world.feed_id,
        user_id: 'fan',
        ...nothing,
      });
      const plain = await world.account.ask('popular', { user_id: 'fan' });
      const renamed = JSON.stringify(plain.body.body).replaceAll('main:popular', `main:${world.feed_id}`);
      expect([status, JSON.stringify(body.body)]).toEqual([200, renamed]);
    });

    test(`${JSON.stringify(off)} when it was saved as such`, async () => {
      await world.save(Object.fromEntries(Object.keys(saved).map((name) => [name, off])));
      expect(await world.page()).toEqual(all.slice(0, 25));
    });
  }

  test('null in a request does not switch off a saved value', async () => {
    await world.save({
      top_k: 2,
      filters: { channels: ['art'] },
      feed_diversity_config: { max_posts_per_author: 1 },
    });
    expect(
      await world.page({ top_k: null, filters: null, feed_diversity_config: null, scoring: null }),
    ).toEqual([0, 2]);
  });
});
