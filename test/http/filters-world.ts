import fc from 'fast-check';
import { START, type TestServer } from '../support/service.ts';
import type { Filters, Post, World } from './filters-reference.ts';

/** Random posts, and filters that some of them pass. */

export const AUTHORS = ['ann', 'bob', 'cy', 'dee', '12'];
export const VIEWERS = ['ann', 'bob', 'vic', 'stranger'];
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
  parent_item_id: maybe(fc.constantFrom('post-1', 'nowhere')),
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

export const filtersArbitrary: fc.Arbitrary<Filters> = fc.record(
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
    replies: fc.constantFrom('only', 'exclude'),
  },
  { requiredKeys: [] },
);

const FOLLOWS = { ann: ['bob', 'cy'], bob: ['ann'], vic: ['dee', '12'] };

/** Ingests so many random posts, always the same, and who follows whom. */
export async function fillWorld(server: TestServer, post_count: number): Promise<World> {
  const [drawn] = fc.sample(fc.array(postArbitrary, { minLength: post_count, maxLength: post_count }), {
    numRuns: 1,
    seed: 1,
  });
  const posts: Post[] = drawn.map(({ age_hours, ...post }, at) => ({
    ...post,
    item_id: `post-${at}`,
    created_at: START - age_hours * 3600,
  }));
  const places = { ann: PLACES[0], bob: PLACES[2] };
  await server.post('/v2/farcaster/items', posts);
  const users = Object.entries(places).map(([user_id, geo_location]) => ({ user_id, geo_location }));
  await server.post('/v2/farcaster/users', users);
  const follows = Object.entries(FOLLOWS).flatMap(([user_id, targets]) =>
    targets.map((target_user_id) => ({ user_id, target_user_id })),
  );
  await server.post('/v2/farcaster/follows', follows);
  return { posts, places, follows: FOLLOWS };
}
