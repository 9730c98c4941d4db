import { expect, test } from 'bun:test';
import { openCluster } from './support.ts';

const V2 = '/v2/farcaster';
const VIEWERS = ['ann', 'bob', 'a stranger'];

/** Pages that follow one another, each of the next node, of a community that is always the same. */
async function pagesOf(nodes_count: number): Promise<string[][]> {
  await using cluster = await openCluster();
  for (let started = 0; started < nodes_count; started++) await cluster.start({ now: 1_800_000_000 });
  const { nodes } = cluster;
  const items = Array.from({ length: 120 }, (_, at) => ({
    item_id: `item${at}`,
    author_id: `author${at % 7}`,
    created_at: 1_800_000_000 - 600 * at,
    likes_count: (at * 31) % 17,
  }));
  await nodes[0].post(`${V2}/items`, items);
  const likes = items.slice(0, 30).map(({ item_id }, at) => ({
    user_id: VIEWERS[at % 2],
    item_id,
    event_type: 'like',
    timestamp: 1_799_990_000 + at,
  }));
  await nodes[0].post(`${V2}/interactions`, likes);
  const pages: string[][] = [];
  for (let page = 0; page < 12; page++)
    for (const user_id of VIEWERS) {
      const feed = page % 3 === 0 ? 'for-you' : 'popular';
      const request = { user_id, top_k: 10, impression_count: 7, seed: 5 };
      pages.push(await nodes[pages.length % nodes_count].page(request, feed));
    }
  return pages;
}

test('recorded pages that follow one another are the same on one node and by turns on two', async () => {
  const alone = await pagesOf(1);
  expect(alone.flat().length).toBeGreaterThan(200);
  expect(await pagesOf(2)).toEqual(alone);
});
