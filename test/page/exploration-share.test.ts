import { expect, test } from 'bun:test';
import { type Fields, openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';
import { upTo } from './mixing-support.ts';

const TOP_K = 20;
const KNOWN = upTo(60).map((at) => `known-${at}`);

/** The item ids of a for-you page, after checks that each occurs once and that they are in the order of scores. */
async function pageOf(percent: number, newcomers: number, seed: number): Promise<string[]> {
  await using community = await openCommunity({ settings: { exploration_percent: percent } });
  const old = KNOWN.map((item_id, at) => ({ item_id, author_id: 'big', likes_count: 90 - at }));
  const fresh = upTo(newcomers).map((at) => ({ item_id: `new-${at}`, author_id: `small-${at}` }));
  await community.add(
    'items',
    ...old.map((item) => ({ ...item, created_at: START - 5 * 86_400 })),
    ...fresh.map((item, at) => ({ ...item, created_at: START - at })),
  );
  await community.add('follows', ...upTo(80).map((at) => ({ user_id: `fan-${at}`, target_user_id: 'big' })));
  const scoring = { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } };
  const { status, body } = await community.ask('for-you', { user_id: 'v', top_k: TOP_K, seed, scoring });
  expect(status).toBe(200);
  const ids: string[] = body.body.map((item: Fields) => item.item_id);
  const scores: number[] = body.body.map((item: Fields) => item.adjusted_score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(new Set(ids).size).toBe(TOP_K);
  return ids;
}

test.each([1, 2, 3])('a share of 100 %% fills the whole page (seed %d)', async (seed) => {
  expect((await pageOf(100, 60, seed)).filter((id) => !id.startsWith('new-'))).toEqual([]);
});

test.each([
  ['75 %', 75, 60, 15],
  ['100 %, of which there are few,', 100, 4, 4],
])('a share of %s leaves the rest of the page to the best', async (_, percent, newcomers, shown) => {
  const ids = await pageOf(percent, newcomers, 7);
  expect(ids.filter((id) => id.startsWith('new-'))).toHaveLength(shown);
  expect(ids.filter((id) => id.startsWith('known-'))).toEqual(KNOWN.slice(0, TOP_K - shown));
});
