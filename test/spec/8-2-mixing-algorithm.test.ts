import { expect, test } from 'bun:test';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import { type Community, type Fields, openCommunity } from '../http/support.ts';
import {
  chosenSets,
  inclusionCovariance,
  mahalanobis,
  WEIGHTS,
} from '../plugins/promotions/weighted-sampling.ts';
import { testsWith } from '../support/fixture.ts';
import { numbered, seeds } from './support.ts';

const it = testsWith(() => open(2));

/** 30 items of the main channel, and 30 of the promoted one. */
async function open(overfetch_factor: number): Promise<Community> {
  const community = await openCommunity({ settings: { overfetch_factor } });
  const items = ['main', 'promo'].flatMap((channel) =>
    numbered(channel, 30).map((item_id, at) => ({
      item_id,
      channel,
      author_id: channel,
      created_at: community.now,
      likes_count: 400 - at,
    })),
  );
  await community.add('items', ...items);
  return community;
}

function page(
  community: Community,
  percent: number,
  top_k: number,
  request: Fields = {},
): Promise<AnswerItem[]> {
  const promotion = {
    promotion_type: 'feed',
    promotion_name: 'ad',
    percent,
    filters: { channels: ['promo'] },
  };
  const main = { top_k, filters: { channels: ['main'] }, promotion_filters: [promotion] };
  return community.page('popular', { ...main, ...request });
}

const isPromoted = ({ source_feed }: AnswerItem) => source_feed === 'promotion:ad';
const ids = (list: AnswerItem[]) => list.map(({ item_id }) => item_id);

it('8.2 step 1 leaves no item of both lists on the page twice', async (community) => {
  for (const seed of seeds(20)) {
    const shown = await page(community, 50, 20, { seed, filters: { channels: ['main', 'promo'] } });
    expect(new Set(ids(shown)).size).toBe(20);
    const own = shown.filter(isPromoted);
    expect(ids(own)).toEqual(numbered('promo', own.length));
  }
});

test('8.2 step 2 mixes ceil(topK × factor × percent / 100) promoted items with the rest', async () => {
  await using community = await open(1);
  for (const [top_k, percent, promoted] of [
    [10, 30, 3],
    [10, 31, 4],
    [7, 10, 1],
    [20, 1, 1],
    [20, 99, 20],
    [3, 50, 2],
  ]) {
    const shown = await page(community, percent, top_k);
    expect([top_k, percent, shown.filter(isPromoted).length]).toEqual([top_k, percent, promoted]);
  }
});

it('8.2 step 2 keeps the first of both lists', async (community) => {
  for (const seed of seeds(20)) {
    const shown = await page(community, 30, 10, { seed });
    const [own, main] = [shown.filter(isPromoted), shown.filter((item) => !isPromoted(item))];
    expect(own.length).toBeLessThanOrEqual(6);
    expect(ids(own)).toEqual(numbered('promo', own.length));
    expect(ids(main)).toEqual(numbered('main', main.length));
  }
});

it('8.2 step 3 chooses distinct slots by weighted sampling without replacement, weight 1/n^0.35', async (community) => {
  const [draws, top_k] = [3000, 5];
  const sets = chosenSets(WEIGHTS(2 * top_k), 4);
  const { inclusion, covariance } = inclusionCovariance(sets, top_k);
  const observed = new Array<number>(top_k).fill(0);
  for (const seed of seeds(draws)) {
    const shown = await page(community, 40, top_k, { seed: seed * 7919 });
    for (const [at, item] of shown.entries()) if (isPromoted(item)) observed[at]++;
  }
  const differences = observed.map((count, at) => count / draws - inclusion[at]);
  // The 99th percentile of chi-square for 5 degrees of freedom.
  expect(draws * mahalanobis(differences, covariance)).toBeLessThan(15.09);
});

it('8.2 step 3 never chooses more slots than there are items to promote', async (community) => {
  for (const percent of [50, 100]) {
    const few = { user_id: 'reader', filters: { channels: ['main'] } };
    for (const item_id of numbered('promo', 28)) await community.act('reader', 'view', item_id);
    const shown = await page(community, percent, 10, few);
    expect(shown).toHaveLength(10);
    expect(shown.filter(isPromoted).length).toBeLessThanOrEqual(2);
  }
});

test('8.2 step 4 takes the next promoted item at a chosen slot, otherwise the next main item', async () => {
  await using community = await open(1);
  for (const seed of seeds(10)) {
    const shown = await page(community, 30, 10, { seed });
    const lists = { true: numbered('promo', 30), false: numbered('main', 30) };
    const walked = shown.map((item) => lists[`${isPromoted(item)}`].shift());
    expect(ids(shown)).toEqual(walked as string[]);
    expect(ids(shown).toSorted()).toEqual([...numbered('main', 7), ...numbered('promo', 3)]);
  }
});

it('8.2 step 5 returns the first topK of the result', async (community) => {
  for (const top_k of [1, 2, 10, 30]) {
    for (const percent of [0, 25, 100]) expect(await page(community, percent, top_k)).toHaveLength(top_k);
  }
});
