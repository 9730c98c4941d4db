import { expect, test } from 'bun:test';
import { openCommunity } from '../support.ts';

/** The longest embeddings, the longest horizon and pages of the greatest length. */
const NUMBERS = 1_024;
const TOP_K = 500;
const ITEMS = 600;

/** The embedding of one of two topics. */
function about(topic: number, at: number): string {
  const vector = Int8Array.from({ length: NUMBERS }, (_, place) =>
    place % 2 === topic ? 100 : (at * place) % 7,
  );
  return Buffer.from(vector.buffer).toString('base64');
}

test('a page of the greatest length compares a bounded number of numbers to move its best items apart', async () => {
  await using community = await openCommunity();
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    ...{ item_id: `${at}`, author_id: `author ${at}`, created_at: community.now },
    ...{ likes_count: ITEMS - at, embedding: about(at < 40 ? 0 : 1, at) },
  }));
  await community.add('items', ...items);
  const { embeddings } = community.server.service.state;
  const similarity = embeddings.similarity.bind(embeddings);
  let numbers = 0;
  embeddings.similarity = (one, other) => {
    numbers += NUMBERS;
    return similarity(one, other);
  };
  const semantic = { lambda: 0.3, horizon: 100 };
  const request = { top_k: TOP_K, feed_diversity_config: { semantic } };
  const ids = await community.ids('popular', request);
  expect(new Set(ids).size).toBe(TOP_K);
  // Items of the other topic would come after the first 40.
  expect(ids.slice(0, 20).some((id) => Number(id) >= 40)).toBe(true);
  expect(numbers).toBeLessThan(30_000_000);
  // A shorter page is the begin of the longer one.
  expect(await community.ids('popular', { ...request, top_k: 60 })).toEqual(ids.slice(0, 60));
});
