import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkCovering } from '../../support/long.ts';
import { forFile, openTestServer, START } from '../../support/service.ts';
import { passing } from '../filters-reference.ts';
import { AUTHORS, fillWorld, filtersArbitrary, VIEWERS } from '../filters-world.ts';
import { FEED_TYPES, type Fields, feedPath } from '../support.ts';
import { type Act, counted, droppedBy, type History } from './explain-reference.ts';

const POSTS = 150;
/** The time of the acts and pages. Acts count if they are later than the counts of the items. */
const NOW = START + 1;
const EVENT_TYPES = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'];
const SCORING = {
  'for-you': 'balanced_feed_v0.0.1',
  trending: 'trending_v0.0.1',
  popular: 'popular_v0.0.1',
} as const;

const actArbitrary: fc.Arbitrary<Act> = fc.record({
  user_id: fc.constantFrom(...VIEWERS.slice(0, 3), 'dee', '12'),
  item_id: fc.nat(POSTS - 1).map((at) => `post-${at}`),
  event_type: fc.constantFrom(...EVENT_TYPES),
});
const switchesArbitrary = fc.record(
  {
    show_interacted_items: fc.boolean(),
    remove_user_posts_from_feed: fc.boolean(),
    return_only_posts_with_social_proof: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** Every stage and plugin that was named. */
const reasons = new Set<string>();

const server = await forFile(openTestServer());
const filled = await fillWorld(server, POSTS);
const [acts] = fc.sample(fc.array(actArbitrary, { minLength: 90, maxLength: 90 }), { numRuns: 1, seed: 4 });
const history: History = {
  acts,
  blocks: [
    ['vic', 'cy'],
    ['12', 'ann'],
  ],
};
server.clock.set(NOW);
await server.post('/v2/farcaster/interactions', acts);
const world = counted(filled, acts);
const blocks = history.blocks.map(([user_id, target_user_id]) => ({ user_id, target_user_id }));
await server.post('/v2/farcaster/blocks', blocks);
expect(AUTHORS).toContain('cy');

async function ask(path: string, body: Fields): Promise<Fields & { body: Fields }> {
  const answer = await server.post(path, body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}

async function idsOf(path: string, body: Fields): Promise<string[]> {
  return ((await ask(path, body)).body as unknown as Fields[]).map(({ item_id }) => String(item_id));
}

describe('the explanation of a random item agrees with the page and with a naive reading of the rules', () => {
  for (const feed_type of FEED_TYPES) {
    test(`on ${feed_type} feeds`, async () => {
      await checkCovering(
        120,
        [
          fc.oneof(fc.constant({}), filtersArbitrary),
          switchesArbitrary,
          fc.constantFrom(...VIEWERS),
          fc.integer({ min: 1, max: 30 }), // One that passes the filters, where there is one, shows what comes after them.
          fc.record({ passing: fc.boolean(), at: fc.nat(POSTS - 1) }),
        ],
        async (filters, switches, viewer, top_k, drawn) => {
          const kept = drawn.passing ? passing(world, filters, viewer, NOW) : [];
          const post = kept.length > 0 ? kept[drawn.at % kept.length] : world.posts[drawn.at];
          const request = { user_id: viewer, filters, ...switches, top_k };
          const { body } = await ask(`${feedPath(feed_type)}/explain`, { ...request, item_id: post.item_id });
          const page = await idsOf(feedPath(feed_type), request);
          const slot = page.indexOf(post.item_id) + 1;
          expect([body.item_id, body.shown]).toEqual([post.item_id, slot > 0]);
          const why = body.dropped_by as { stage: string; plugin: string; reason: string } | null;
          reasons.add(`${why?.stage} ${why?.plugin}`);
          const expected = droppedBy(world, history, post, filters, switches, viewer, NOW);
          if (slot > 0) {
            expect([why, body.rank, body.source_feed]).toEqual([null, slot, `main:${feed_type}`]);
            expect(expected).toBeUndefined();
            return;
          }
          expect(body.source_feed).toBeNull();
          expect(why?.reason).toMatch(/\S{3}/);
          if (expected !== undefined) {
            expect([why?.stage, why?.plugin, body.rank]).toEqual([expected.stage, expected.plugin, null]);
            return;
          }
          const all = await idsOf(feedPath(feed_type), { ...request, top_k: 500 });
          expect(body.rank).toBe(all.indexOf(post.item_id) + 1);
          // An item that no source proposed may be missing although it ranks before what is shown.
          const overlooked = page.some((shown) => all.indexOf(shown) + 1 > Number(body.rank));
          if (overlooked)
            expect([feed_type, why?.stage, why?.plugin]).toEqual(['for-you', 'candidates', 'sources']);
          else expect([why?.stage, why?.plugin]).toEqual(['ranking', SCORING[feed_type]]);
        },
      );
    });
  }

  test('the random requests cover every rule, many filters and every ranking', () => {
    const rules = ['blocked', 'hidden', 'seen', 'interacted', 'own_posts', 'social_proof'];
    const scoring = Object.values(SCORING).map((id) => `ranking ${id}`);
    expect([...reasons]).toEqual(
      expect.arrayContaining([...rules.map((rule) => `visibility ${rule}`), ...scoring]),
    );
    expect([...reasons].filter((reason) => reason.startsWith('candidates')).length).toBeGreaterThan(5);
  });

  test('the explained ranks of a feed are 1 to the number of eligible items', async () => {
    for (const feed_type of FEED_TYPES) {
      const request = { user_id: 'vic', filters: { languages: ['en'] }, top_k: 3 };
      const all = await idsOf(feedPath(feed_type), { ...request, top_k: 500 });
      const ranks: unknown[] = [];
      for (const item_id of all) {
        ranks.push((await ask(`${feedPath(feed_type)}/explain`, { ...request, item_id })).body.rank);
      }
      expect(ranks).toEqual(all.map((_, index) => index + 1));
      expect(all.length).toBeGreaterThan(10);
    }
  });
});
