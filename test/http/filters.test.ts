import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { type Filters, type Post, passing, type World } from './filters-reference.ts';

const AUTHORS = ['ann', 'bob', 'cy', 'dee', '12'];
const VIEWERS = ['ann', 'bob', 'vic', 'nobody'];
const APPS = ['9152', '7', 'web'];
const CHANNELS = ['https://a.example/c1', 'https://a.example/c2', 'c3'];
const LANGUAGES = ['en', 'en-gb', 'pt-br', 'de'];
const TYPES = ['image', 'video', 'nft'];
const DOMAINS = ['example.com', 'blog.example.com', 'notexample.com', 'x.org'];
const PLACES = ['34.05,-118.24', '34.5,-118.0', '52.52,13.40', '-33.87,151.21', '0,179.9', '0,-179.9'];
const LABELS = ['music', 'gaming', 'spam'];
const SCORES = [0.3, 0.6, 0.61, 0.9, 1];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });

const postArbitrary = fc.record({
  author_id: fc.constantFrom(...AUTHORS),
  age_hours: fc.integer({ min: 0, max: 24 * 12 }),
  app_fid: maybe(fc.constantFrom(...APPS)),
  channel: maybe(fc.constantFrom(...CHANNELS)),
  language: maybe(fc.constantFrom(...LANGUAGES)),
  publication_types: maybe(some(TYPES)),
  embed_domains: maybe(some(DOMAINS)),
  geo_location: maybe(fc.constantFrom(...PLACES)),
  ai_labels: maybe(fc.dictionary(fc.constantFrom(...LABELS), fc.constantFrom(...SCORES), { maxKeys: 3 })),
  likes_count: fc.integer({ min: 0, max: 4 }),
  comments_count: fc.integer({ min: 0, max: 2 }),
  shares_count: fc.integer({ min: 0, max: 2 }),
});

const momentArbitrary = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((n) => `days_ago:${n}`),
  fc.integer({ min: 0, max: 300 }).map((n) => `hours_ago:${n}`),
  fc.integer({ min: START - 900_000, max: START }),
  fc.integer({ min: START - 900_000, max: START }).map(String),
  fc.integer({ min: START - 900_000, max: START }).map((seconds) => new Date(seconds * 1000).toISOString()),
);
const authorsArbitrary = fc.oneof(
  fc.uniqueArray(fc.constantFrom<string | number>(...AUTHORS.slice(0, 4), 12, 'unheard'), { maxLength: 3 }),
  fc.constantFrom('following', 'following:bob', 'following:unheard'),
  fc.constantFrom(['following'], ['following:vic']),
);
const labelsArbitrary = fc.array(
  fc.oneof(
    fc.constantFrom(...LABELS, 'unheard'),
    fc.record({ label: fc.constantFrom(...LABELS), threshold: fc.constantFrom(0, 0.3, 0.6, 0.95) }),
  ),
  { maxLength: 3 },
);
const boundsArbitrary = fc.record(
  {
    min_likes_count: fc.integer({ min: 0, max: 3 }),
    max_likes_count: fc.integer({ min: 3, max: 5 }),
    min_comments_count: fc.integer({ min: 0, max: 1 }),
    max_shares_count: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: [] },
);

const filtersArbitrary: fc.Arbitrary<Filters> = fc.record(
  {
    start_timestamp: momentArbitrary,
    end_timestamp: momentArbitrary,
    app_fids: fc.uniqueArray(fc.constantFrom<string | number>('9152', 7, 'web', 'unheard'), { maxLength: 3 }),
    channels: some([...CHANNELS, 'unheard']),
    languages: some(['en', 'EN-us', 'pt', 'de-CH', 'fr']),
    publication_types: some(['images', 'Video', 'nft', 'music']),
    embed_domains: some(['example.com', 'https://BLOG.example.com/x', 'org', 'unheard.net']),
    geo_locations: some(PLACES),
    remove_geo_locations: some(PLACES),
    author_ids: authorsArbitrary,
    remove_author_ids: authorsArbitrary,
    ai_labels: labelsArbitrary,
    remove_ai_labels: labelsArbitrary,
    engagement: boundsArbitrary,
  },
  { requiredKeys: [] },
);

const POSTS = 300;
let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await openTestServer();
  const [drawn] = fc.sample(fc.array(postArbitrary, { minLength: POSTS, maxLength: POSTS }), {
    numRuns: 1,
    seed: 1,
  });
  const posts: Post[] = drawn.map(({ age_hours, ...post }, at) => ({
    ...post,
    item_id: `post-${at}`,
    created_at: START - age_hours * 3600,
  }));
  world = {
    posts,
    places: { ann: PLACES[0], bob: PLACES[2] },
    follows: { ann: ['bob', 'cy'], bob: ['ann'], vic: ['dee', '12'] },
  };
  await server.post('/v2/farcaster/items', posts);
  await server.post('/v2/farcaster/users', [
    { user_id: 'ann', geo_location: PLACES[0] },
    { user_id: 'bob', geo_location: PLACES[2] },
  ]);
  const follows = Object.entries(world.follows).flatMap(([user_id, targets]) =>
    targets.map((target_user_id) => ({ user_id, target_user_id })),
  );
  await server.post('/v2/farcaster/follows', follows);
});
afterAll(() => server.close());

describe('a page holds exactly the items that pass every filter', () => {
  for (const feed_type of ['for-you', 'trending', 'popular']) {
    test(`on ${feed_type} feeds, for random combinations of all filters`, async () => {
      await fc.assert(
        fc.asyncProperty(filtersArbitrary, fc.constantFrom(...VIEWERS), async (filters, user_id) => {
          const { status, body } = await server.post(`/v2/farcaster/casts/feed/${feed_type}`, {
            user_id,
            filters,
            top_k: 500,
          });
          expect([status, body.detail]).toEqual([200, undefined]);
          const shown = body.body.map(({ item_id }: { item_id: string }) => item_id);
          const expected = passing(world, filters, user_id, START).map(({ item_id }) => item_id);
          expect(shown.toSorted()).toEqual(expected.toSorted());
        }),
        { numRuns: 150 },
      );
    });
  }
});

test('a page of a narrow feed is as long as asked while enough items match', async () => {
  await fc.assert(
    fc.asyncProperty(filtersArbitrary, fc.integer({ min: 1, max: 40 }), async (filters, top_k) => {
      const matching = passing(world, filters, 'vic', START).length;
      const { body } = await server.post('/v2/farcaster/casts/feed/for-you', {
        user_id: 'vic',
        filters,
        top_k,
      });
      expect(body.body).toHaveLength(Math.min(top_k, matching));
    }),
    { numRuns: 100 },
  );
});
