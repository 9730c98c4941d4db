import { describe, expect, test } from 'bun:test';
import { type Account, expectRefused, newAccount } from '../http/config-support.ts';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { falling, only, openMixing, PLUGIN, promoting } from './mixing-support.ts';

const mixing = await forFile(openMixing({ settings: { plugins: PLUGIN } }));
const stranger = await newAccount(mixing.community.server, 'stranger');
/** A feed that every account here may use. */
const own = await mixing.feedOf('b', {}, { visibility: 'public' });

/** The parameters in which a feed names another, with valid values. */
const PLACES: Record<string, (feed_id: string) => Fields> = {
  'fallback_feeds/1/feed_id': (feed_id) => falling(own, feed_id),
  cold_start_feed: (cold_start_feed) => ({ cold_start_feed }),
  'cold_start/feed_id': (feed_id) => ({ cold_start: { feed_id } }),
  'promotion_filters/0/feed_id': (feed_id) => promoting({ percent: 50, feed_id }),
};

for (const [place, naming] of Object.entries(PLACES)) {
  describe(`${place} of a saved feed`, () => {
    test('must name a feed that exists, is active, and that the owner may read', async () => {
      const inactive = await mixing.feedOf('b', {}, { status: 'inactive' });
      const foreign = await stranger.add({ endpoint: 'casts/feed/popular' });
      const feed_id = await mixing.feedOf('a');
      const before = (await mixing.account.get(feed_id)).body.data;
      for (const named of ['feed_999', 'nonsense', inactive, foreign]) {
        const created = await mixing.account.create({ name: 'x', config: naming(named) });
        const changed = await mixing.account.patch({ config_id: feed_id, config: naming(named) });
        for (const answer of [created, changed]) {
          expectRefused(answer, 400, 'invalid_value');
          expect(answer.body.errors.map((error: Fields) => error.path)).toEqual([`/config/${place}`]);
        }
      }
      expect((await mixing.account.get(feed_id)).body.data).toEqual(before);
    });

    test('may name a feed of the owner, and any that is not private', async () => {
      const foreign = await stranger.add({ endpoint: 'casts/feed/popular', visibility: 'public' });
      const template = await stranger.add({ visibility: 'template' });
      for (const named of [own, await mixing.feedOf('c'), foreign, template]) {
        const { status } = await mixing.account.create({ name: 'x', config: naming(named) });
        expect(status).toBe(201);
      }
    });

    test('keeps working for others with the rights of the owner', async () => {
      const secret = await mixing.feedOf('c');
      const shared = { visibility: 'public' };
      const feed_id = await mixing.feedOf('d', { ...naming(secret), top_k: 34 }, shared);
      const request = { feed_id, user_id: 'viewer', seed: 1 };
      const { status, body } = await stranger.ask('popular', request);
      const same = await mixing.account.ask('popular', request);
      // Each page has an id of its own.
      expect([status, body]).toEqual([200, { ...same.body, page_id: body.page_id }]);
      expect(JSON.stringify(body.body)).toContain(secret);
    });

    test("another account's private feed is the same as a missing one", async () => {
      const secret = await mixing.feedOf('c');
      const words = async (account: Account, named: string) => {
        const asked = await account.ask('popular', { user_id: 'viewer', top_k: 50, ...naming(named) });
        const saved = await account.create({ name: 'x', config: naming(named) });
        expect([asked.status, saved.status]).toEqual([404, 400]);
        const { type, title, detail, code, errors } = asked.body;
        const told = [{ type, title, detail, code, errors }, saved.body.errors, saved.body.detail];
        return JSON.stringify(told).replaceAll(named, 'feed_x');
      };
      const missing = await words(stranger, 'feed_999');
      expect(await words(stranger, secret)).toBe(missing);
      await mixing.account.set(secret, { status: 'inactive' });
      expect(await words(stranger, secret)).toBe(missing);
    });

    test('is a 404 if a request names it and it is missing or inactive, for any viewer and length', async () => {
      for (const event of ['like', 'share']) await mixing.community.act('regular', event, 'a-00');
      const inactive = await mixing.feedOf('b', {}, { status: 'inactive' });
      const gone = await mixing.feedOf('b');
      await mixing.account.remove(gone);
      for (const named of ['feed_999', inactive, gone]) {
        for (const user_id of ['viewer', 'regular']) {
          for (const top_k of [2, 50]) {
            const { status, body } = await mixing.ask({ ...only('d'), user_id, top_k, ...naming(named) });
            expect([status, body.code, body.detail]).toEqual([
              404,
              'not_found',
              expect.stringContaining(named),
            ]);
          }
        }
      }
    });

    test('is skipped with a warning if it was saved and became inactive or was deleted', async () => {
      const named = await mixing.save('@gone', only('c'));
      await mixing.save('@saved', { ...only('a'), ...naming('@gone'), top_k: 3 });
      await mixing.account.set(named, { status: 'inactive' });
      for (const state of ['inactive', 'gone']) {
        const { runs, warnings } = await mixing.answer({ feed_id: '@saved', user_id: 'viewer' });
        expect([state, runs, warnings]).toEqual([state, 'main:@saved 3', [expect.stringContaining('@gone')]]);
        await mixing.account.remove(named);
      }
    });

    test('that became private is skipped like a missing one', async () => {
      const foreign = await stranger.add({
        endpoint: 'casts/feed/popular',
        visibility: 'public',
        config: only('c'),
      });
      const ask = () => mixing.answer({ feed_id: '@private', user_id: 'viewer' });
      await mixing.save('@private', { ...only('a'), ...naming(foreign), top_k: 3 });
      expect((await ask()).warnings).toEqual([]);
      await stranger.set(foreign, { visibility: 'private' });
      const hidden = await ask();
      await stranger.remove(foreign);
      const gone = await ask();
      expect(hidden).toEqual(gone);
      expect([gone.runs, gone.warnings.length]).toEqual(['main:@private 3', 1]);
    });
  });
}

test('all faults of a config are reported at once', async () => {
  const config = {
    filters: { chanels: [] },
    ...falling('feed_999', 'feed_998'),
    cold_start_feed: 'feed_996',
    ...promoting({ percent: 20, feed_id: 'feed_997' }),
    scoring: 'nonsense',
  };
  const answer = await mixing.account.create({ name: 'x', config });
  expectRefused(answer, 400, 'invalid_value');
  expect(answer.body.errors.map(({ path }: Fields) => path).sort()).toEqual([
    '/config/cold_start_feed',
    '/config/fallback_feeds/0/feed_id',
    '/config/fallback_feeds/1/feed_id',
    '/config/filters/chanels',
    '/config/promotion_filters/0/feed_id',
    '/config/scoring',
  ]);
});

test('a fault does not hide other faults, nor other values of the same filter', async () => {
  const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 200, feed_id: 'feed_997' };
  const items = { promotion_type: 'items', promotion_name: '' };
  const faulty = (promotion: Fields) => ({
    filters: {
      languages: ['english', 'en', 'klingonish'],
      geo_locations: ['1,1', 'nowhere', '91,0'],
      embed_domains: ['x y', 'example.com'],
      author_ids: ['a', 2 ** 53],
      engagement: { min_likes_count: 2, max_likes_count: 1, min_shares_count: 3, max_shares_count: 2 },
    },
    fallback_feeds: [{ feed_id: 'feed_999' }, { feed_id: '' }, { feed_id: 'feed_998' }],
    cold_start: { feed_id: 'feed_996', min_interactions: -1 },
    promotion_filters: [promotion],
  });
  const common = [
    '/config/cold_start/feed_id',
    '/config/cold_start/min_interactions',
    '/config/fallback_feeds/0/feed_id',
    '/config/fallback_feeds/1/feed_id',
    '/config/fallback_feeds/2/feed_id',
    '/config/filters/author_ids/1',
    '/config/filters/embed_domains/0',
    '/config/filters/engagement/min_likes_count',
    '/config/filters/engagement/min_shares_count',
    '/config/filters/geo_locations/1',
    '/config/filters/geo_locations/2',
    '/config/filters/languages/0',
    '/config/filters/languages/2',
  ];
  const pathsOf = async (promotion: Fields): Promise<string[]> => {
    const answer = await mixing.account.create({ name: 'x', config: faulty(promotion) });
    expectRefused(answer, 400, 'invalid_value');
    return answer.body.errors.map(({ path }: Fields) => path).sort();
  };
  const within = ['feed_id', 'filters/channels/0', 'filters/odd', 'percent'];
  expect(await pathsOf({ ...promotion, filters: { odd: 1, channels: [''] } })).toEqual([
    ...common,
    ...within.map((part) => `/config/promotion_filters/0/${part}`),
  ]);
  const ranked = [1, 0, 1].map((rank, at) => ({ item_id: `i${at}`, rank }));
  expect(await pathsOf({ ...items, promoted_items: ranked })).toEqual([
    ...common,
    '/config/promotion_filters/0/promoted_items/1/rank',
    '/config/promotion_filters/0/promoted_items/2/rank',
    '/config/promotion_filters/0/promotion_name',
  ]);
});

test('the first hundred of thousands of faults are listed', async () => {
  for (const config of [
    { filters: { languages: Array(10_000).fill('') } },
    { filters: { languages: Array(80).fill(''), embed_domains: Array(80).fill('') } },
  ]) {
    const { body } = await mixing.account.create({ name: 'x', config });
    expect([body.code, body.errors.length]).toEqual(['invalid_value', 100]);
    expect(body.detail).toEndWith('(and 99 more)');
  }
});

test('a list that is too long is reported without faults of its entries', async () => {
  const { body } = await mixing.account.create({
    name: 'x',
    config: { fallback_feeds: Array(20_000).fill(0) },
  });
  expect([body.code, body.errors.length]).toEqual(['invalid_value', 1]);
  expect(body.errors[0].path).toBe('/config/fallback_feeds');
});

test('all faults of one path are reported', async () => {
  const weights = { moon_phase: 1, tide: 1, popular: 1 };
  const scoring = { name: 'weighted_v0.0.1', options: { weights } };
  const { body } = await mixing.account.create({ name: 'x', config: { scoring } });
  expect(body.errors.map(({ message }: Fields) => String(message).split(' ')[0])).toEqual([
    "'moon_phase'",
    "'tide'",
  ]);
});

describe('references are rejected for', () => {
  const WRONG: [Fields, string][] = [
    [{ fallback_feeds: 5 }, '/fallback_feeds'],
    [{ fallback_feeds: 'feed_1' }, '/fallback_feeds'],
    [{ fallback_feeds: ['feed_1'] }, '/fallback_feeds/0'],
    [{ fallback_feeds: [null] }, '/fallback_feeds/0'],
    [{ fallback_feeds: [{}] }, '/fallback_feeds/0/feed_id'],
    [{ fallback_feeds: [{ feed_id: null }] }, '/fallback_feeds/0/feed_id'],
    [{ fallback_feeds: [{ feed_id: '' }] }, '/fallback_feeds/0/feed_id'],
    [{ fallback_feeds: [{ feed_id: 'feed_1', rank: 1 }] }, '/fallback_feeds/0/rank'],
    [{ return_global_fallback: 'yes' }, '/return_global_fallback'],
    [{ return_global_fallback: 1 }, '/return_global_fallback'],
    [{ cold_start_feed: 5 }, '/cold_start_feed'],
    [{ cold_start_feed: ['feed_1'] }, '/cold_start_feed'],
    [{ cold_start: 'feed_1' }, '/cold_start'],
    [{ cold_start: {} }, '/cold_start/feed_id'],
    [{ cold_start: { feed_id: 'feed_1', min_interactions: -1 } }, '/cold_start/min_interactions'],
    [{ cold_start: { feed_id: 'feed_1', min_interactions: 1.5 } }, '/cold_start/min_interactions'],
    [{ cold_start: { feed_id: 'feed_1', inactive_days: 0 } }, '/cold_start/inactive_days'],
    [{ cold_start: { feed_id: 'feed_1', days: 5 } }, '/cold_start/days'],
  ];
  for (const [fields, path] of WRONG) {
    test(JSON.stringify(fields), async () => {
      const asked = await mixing.account.ask('popular', { user_id: 'viewer', ...fields });
      const saved = await mixing.account.create({ name: 'x', config: fields });
      for (const [answer, place] of [
        [asked, path],
        [saved, `/config${path}`],
      ] as const) {
        expectRefused(answer, 400, 'invalid_value');
        expect(answer.body.errors.map((error: Fields) => error.path)).toContain(place);
      }
    });
  }
});

test('a changed feed may name itself, and can be built', async () => {
  const feed_id = await mixing.save('@itself', only('a'));
  for (const naming of Object.values(PLACES)) {
    await mixing.account.set(feed_id, { config: { ...only('a'), ...naming(feed_id), top_k: 3 } });
    expect((await mixing.answer({ feed_id, user_id: 'viewer' })).runs).toBe('main:@itself 3');
  }
});
