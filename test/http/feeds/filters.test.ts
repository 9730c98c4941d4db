import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { forFile, openTestServer, START } from '../../support/service.ts';
import { passing } from '../filters-reference.ts';
import { fillWorld, filtersArbitrary, VIEWERS } from '../filters-world.ts';

const POSTS = 300;

const server = await forFile(openTestServer());
const world = await fillWorld(server, POSTS);

describe('a page holds exactly the items that pass every filter', () => {
  for (const feed_type of ['for-you', 'trending', 'popular']) {
    test(`a page contains exactly the items that pass random combinations of filters, on ${feed_type} feeds`, async () => {
      await checkAsync(150, [filtersArbitrary, fc.constantFrom(...VIEWERS)], async (filters, user_id) => {
        const { status, body } = await server.post(`/v2/farcaster/casts/feed/${feed_type}`, {
          user_id,
          filters,
          top_k: 500,
        });
        expect([status, body.detail]).toEqual([200, undefined]);
        const shown = body.body.map(({ item_id }: { item_id: string }) => item_id);
        const expected = passing(world, filters, user_id, START).map(({ item_id }) => item_id);
        expect(shown.toSorted()).toEqual(expected.toSorted());
      });
    });
  }
});

test('a page of a narrow feed is full while enough items match', async () => {
  await checkAsync(100, [filtersArbitrary, fc.integer({ min: 1, max: 40 })], async (filters, top_k) => {
    const matching = passing(world, filters, 'vic', START).length;
    const { body } = await server.post('/v2/farcaster/casts/feed/for-you', {
      user_id: 'vic',
      filters,
      top_k,
    });
    expect(body.body).toHaveLength(Math.min(top_k, matching));
  });
});
