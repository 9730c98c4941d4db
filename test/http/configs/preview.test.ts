import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { forFile, openTestServer, type TestAnswer } from '../../support/service.ts';
import { defaultAccount, expectRefused, newAccount } from '../config-support.ts';
import { fillWorld, filtersArbitrary, VIEWERS } from '../filters-world.ts';
import { FEED_TYPES, type Fields, KEY } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'acme-plugin.ts');
const PREVIEW = '/api/feed/preview';
const server = await forFile(openTestServer({ settings: { plugins: PLUGIN } }));
const world = await fillWorld(server, 120);
await server.post('/v2/farcaster/interactions', [
  { user_id: 'vic', item_id: 'post-3', event_type: 'like' },
  { user_id: 'vic', item_id: 'post-9', event_type: 'view' },
  { user_id: 'dee', item_id: 'post-5', event_type: 'share' },
]);
const account = defaultAccount(server);

const preview = (body: unknown, headers: Record<string, string> = KEY): Promise<TestAnswer> =>
  server.call('POST', PREVIEW, body, headers);

const configArbitrary = fc.record(
  {
    filters: filtersArbitrary,
    time_decay: fc.constantFrom('none', 'low', 'high', { half_life_hours: 3 }),
    show_interacted_items: fc.boolean(),
    return_only_posts_with_social_proof: fc.boolean(),
    feed_diversity_config: fc.record({ max_posts_per_author: fc.integer({ min: 1, max: 9 }) }),
    return_metadata: fc.boolean(),
    return_global_fallback: fc.boolean(),
    top_k: fc.integer({ min: 1, max: 50 }),
  },
  { requiredKeys: [] },
);

describe('a preview', () => {
  for (const feed_type of FEED_TYPES) {
    test(`a preview equals the page of a saved ${feed_type} feed with the same config`, async () => {
      const endpoint = `casts/feed/${feed_type}`;
      const fallback = await account.add({ config: { filters: { languages: ['en'] } } });
      await checkAsync(
        20,
        [
          configArbitrary,
          fc.record(
            { top_k: fc.integer({ min: 1, max: 200 }), user_id: fc.constantFrom(...VIEWERS) },
            { requiredKeys: feed_type === 'for-you' ? ['user_id'] : [] },
          ),
          fc.integer(),
        ],
        async (drawn, request, seed) => {
          const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 30, feed_id: fallback };
          const fallback_feeds = [{ feed_id: fallback }];
          const config = { ...drawn, fallback_feeds, promotion_filters: [promotion] };
          const feed_id = await account.add({ endpoint, config });
          const before = server.service.state.seq;
          const previewed = await preview({ endpoint, config, ...request, seed });
          const saved = await account.ask(feed_type, { feed_id, ...request, seed });
          expect([previewed.status, saved.status]).toEqual([200, 200]);
          // Previews have neither a cursor nor an id.
          const relabelled = JSON.stringify({
            ...saved.body,
            cursor: undefined,
            page_id: undefined,
          }).replaceAll(`main:${feed_id}"`, `main:${feed_type}"`);
          expect(previewed.body).toEqual(JSON.parse(relabelled));
          expect(server.service.state.seq).toBe(before);
          await account.remove(feed_id);
        },
      );
    });
  }

  test('a preview of plain pages is the first one, and top_k wins', async () => {
    const body = { endpoint: 'casts/feed/popular', config: { page_size: 7 } };
    expect((await preview(body)).body.body).toHaveLength(7);
    expect((await preview({ ...body, top_k: 9 })).body.body).toHaveLength(9);
  });

  test('a preview saves and records nothing, and needs neither endpoint nor config', async () => {
    const feeds = (await account.ids()).length;
    const before = server.service.state.seq;
    for (let time = 0; time < 2; time++) {
      const { status, body } = await preview({ user_id: 'bob', top_k: 3, impression_count: 3 });
      expect([status, body.body.length, body.body[0].source_feed]).toEqual([200, 3, 'main:for-you']);
      expect(body.warnings).toEqual(["unknown field 'impression_count' was ignored"]);
    }
    expect([(await account.ids()).length, server.service.state.seq]).toEqual([feeds, before]);
    expect((await preview({ user_id: 'bob', endpoint: null, config: null, top_k: null })).status).toBe(200);
    expect((await preview({ wallet_address: '0x12' })).status).toBe(200);
  });

  test('a preview can be explained', async () => {
    const config = { filters: { languages: ['en'] } };
    const { body } = await preview({ endpoint: 'casts/feed/popular', config, explain: true });
    expect(body.trace).toMatchObject({ cold_start: false, config_revision: null });
    expect(body.body[0].explain.signals).toEqual({ popular: body.body[0].score });
  });

  test('a preview returns the same warnings as saving', async () => {
    const config = { candidate_source: 'x', page_size: 5 };
    const { body } = await preview({ user_id: 'vic', config, colour: 'red' });
    expect(body.warnings).toEqual([
      "unknown field 'colour' was ignored",
      "unknown field 'config.candidate_source' was kept, unused",
      'config.page_size was kept, but a for-you feed has no plain pages',
    ]);
  });

  test('a large promotion causes one warning in a preview, and one on a page of the saved feed', async () => {
    const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 60, filters: {} };
    const feed = { endpoint: 'casts/feed/popular', config: { promotion_filters: [promotion] } };
    const warnings = ['a promotion of 60 percent is more than the advised 50'];
    expect((await preview(feed)).body.warnings).toEqual(warnings);
    const feed_id = await account.add(feed);
    expect((await account.ask('popular', { feed_id })).body.warnings).toEqual(warnings);
  });

  test.each([
    [
      { promotion_type: 'feed', percent: 20, filters: {}, promoted_items: [{ item_id: 'x' }] },
      'a promotion of type feed does not use promoted_items',
    ],
    [
      { promotion_type: 'items', percent: 20, promoted_items: [{ item_id: 'x' }] },
      'a promotion of type items does not use percent: it shows promoted_items',
    ],
    [
      { promotion_type: 'feed', percent: 20, filters: {}, options: { percent: 30 } },
      'a promotion of type feed does not use options',
    ],
    [
      { promotion_type: 'items', feed_id: 'feed_999', promoted_items: [{ item_id: 'x' }] },
      'a promotion of type items does not use feed_id: it shows promoted_items',
    ],
    [
      { promotion_type: 'items', filters: {}, promoted_items: [] },
      'a promotion of type items does not use filters: it shows promoted_items',
    ],
  ])('a preview warns about unused fields of a promotion: %j', async (promotion, warning) => {
    const config = { promotion_filters: [{ promotion_name: 'ad', ...promotion }] };
    const { body } = await preview({ endpoint: 'casts/feed/popular', config });
    expect(body.warnings).toContain(warning);
    const asked = await account.ask('popular', config);
    expect([asked.status, asked.body.warnings]).toEqual([200, expect.arrayContaining([warning])]);
  });

  test('a preview has the rights of the account', async () => {
    const stranger = await newAccount(server, 'stranger');
    const secret = await account.add({ endpoint: 'casts/feed/popular' });
    const config = { filters: { author_ids: ['unheard'] }, fallback_feeds: [{ feed_id: secret }] };
    const own = await preview({ endpoint: 'casts/feed/popular', config });
    expect(own.body.body[0].source_feed).toBe(`fallback_main_1:${secret}`);
    const refused = await preview({ endpoint: 'casts/feed/popular', config }, stranger.headers);
    expectRefused(refused, 400, 'invalid_value');
    expect(refused.body.errors[0].path).toBe('/config/fallback_feeds/0/feed_id');
  });

  test('a preview can be for a cold-start viewer', async () => {
    const cold_start_feed = await account.add({ endpoint: 'casts/feed/popular' });
    const { body } = await preview({ config: { cold_start_feed }, user_id: 'stranger', explain: true });
    expect([body.trace.cold_start, body.body[0].source_feed]).toEqual([
      true,
      `cold_start:${cold_start_feed}`,
    ]);
  });

  test('a preview shows the expected posts of the reference world', async () => {
    const { body } = await preview({ endpoint: 'casts/feed/popular', config: {}, top_k: 1000 });
    expect(body.body).toHaveLength(world.posts.length);
  });
});

describe('a preview is refused', () => {
  const viewer = { user_id: 'vic' };
  const FAULTS: [unknown, string][] = [
    [undefined, ''],
    [[], ''],
    [{}, '/user_id'],
    [{ endpoint: 'casts/feed/newest' }, '/endpoint'],
    [{ config: { filters: { chanels: ['a'] } }, ...viewer }, '/config/filters/chanels'],
    [{ config: { top_k: 501 }, ...viewer }, '/config/top_k'],
    [{ config: { seed: 1 }, ...viewer }, '/config/seed'],
    [{ config: { cold_start_feed: 'feed_99' }, ...viewer }, '/config/cold_start_feed'],
    [{ config: { promotion_filters: [{}] }, ...viewer }, '/config/promotion_filters/0/promotion_type'],
    [{ user_id: [] }, '/user_id'],
  ];
  for (const [body, path] of FAULTS) {
    test(`a preview is refused for ${JSON.stringify(body)}`, async () => {
      const answer = await preview(body);
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors.map((fault: Fields) => fault.path)).toContain(path);
    });
  }

  test('a refused preview lists every fault with its path', async () => {
    const { body } = await preview({
      config: { top_k: 'x', filters: { chanels: 1, languages: 5 }, scoring: 'none' },
      top_k: -1,
      seed: 'x',
    });
    const paths = body.errors.map(({ path }: Fields) => path).sort();
    expect(paths).toEqual([
      '/config/filters/chanels',
      '/config/filters/languages',
      '/config/top_k',
      '/seed',
      '/top_k',
      '/user_id',
    ]);
  });

  test('a preview fails if a plugin fails', async () => {
    const config = { scoring: 'acme/broken_v1.0.0' };
    expectRefused(await preview({ user_id: 'vic', config }), 500, 'plugin_failed');
  });
});
