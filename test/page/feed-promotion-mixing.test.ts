import { describe, expect, test } from 'bun:test';
import { FEED_TYPES, type Fields } from '../http/support.ts';
import { chosenSets, inclusionCovariance, WEIGHTS } from '../plugins/promotions/weighted-sampling.ts';
import { forFile } from '../support/service.ts';
import { type Answer, falling, ids, only, openMixing, promoting, TRENDING, upTo } from './mixing-support.ts';

const mixing = await forFile(openMixing());

/** Ten items of channel `a`, and of a promotion. */
const page = (promotion: Fields, request: Fields = {}): Promise<Answer> =>
  mixing.answer({ top_k: 10, ...only('a'), ...promoting(promotion), ...request });

/** Pages with any random slots. */
const pages = (promotion: Fields, request: Fields = {}, count = 20): Promise<Answer[]> =>
  Promise.all(upTo(count).map((seed) => page(promotion, { seed, ...request })));

const B = { feed_id: '@b' };
const MANY = { engagement: { min_likes_count: 499 } };
const CHANNEL_C = { percent: 100, filters: { channels: ['c'] } };

describe('a promoted feed', () => {
  test('adds items with its own label and the name of the promotion', async () => {
    const { items, labels, warnings } = await page({ ...B, percent: 30 }, { seed: 1 });
    expect(new Set(labels)).toEqual(new Set(['main:popular', 'promotion:@b']));
    for (const { source_feed, promotion_name } of items)
      expect(promotion_name).toBe(source_feed === 'promotion:@b' ? 'ad' : undefined);
    expect(warnings).toEqual([]);
  });

  test('has new random slots at each request, and the same slots for the same seed', async () => {
    const [one, other] = await pages({ ...B, percent: 30 }, { seed: 1 }, 2);
    expect(one).toEqual(other);
    const unseeded = await pages({ ...B, percent: 30 }, { seed: undefined });
    expect(new Set(unseeded.map(({ runs }) => runs)).size).toBeGreaterThan(1);
  });

  test.each<[string, Fields, Fields, number, number]>([
    ['and the main feed keep their order, each from its best', { percent: 30 }, {}, 10, 6],
    ['shares no item with the main list', { percent: 40 }, { ...only('a', 'b'), top_k: 40 }, 40, 20],
    ['that runs out is filled up from the main list', { percent: 100, filters: MANY }, {}, 10, 2],
  ])('%s', async (_sentence, promotion, request, length, most) => {
    for (const shown of await pages({ ...B, ...promotion }, request)) {
      expect([shown.ids.length, new Set(shown.ids).size]).toEqual([length, length]);
      const promoted = shown.from('promotion:@b');
      expect(promoted).toEqual(ids('b', promoted.length));
      expect(promoted.length).toBeLessThanOrEqual(most);
      const main = shown.from('main:popular');
      if (length === 10) expect(main).toEqual(ids('a', 10 - promoted.length));
    }
  });

  /** Of channel `b` in both lists. */
  test.each([
    [0, 20, 0],
    [0, 21, 0],
    [0, 25, 0],
    [10, 21, 5],
    [30, 25, 15],
  ])('has no more items than requested if the page would not be longer: %d%% of %d', async (...row) => {
    const [percent, top_k, promoted] = row;
    const shown = await page({ ...B, percent }, { ...only('b'), top_k });
    expect(shown.ids.toSorted()).toEqual(ids('b', 20));
    expect(shown.from('promotion:@b')).toEqual(ids('b', promoted));
  });

  test('fills up a main list that is short', async () => {
    const short = await page({ ...B, percent: 10 }, only('d'));
    expect([short.from('main:popular'), short.from('promotion:@b')]).toEqual([ids('d', 5), ids('b', 5)]);
    const of_all = await page({ percent: 0, filters: {} }, { ...only('b'), top_k: 23 });
    expect(of_all.from('main:popular')).toEqual(ids('b', 20));
    expect(of_all.from('promotion:ad')).toHaveLength(3);
  });

  test('runs with its own filters, type and scoring, and the main feed with its own', async () => {
    await mixing.community.act('fan', 'like', 'c-09');
    await mixing.save('@own', { ...only('c'), time_decay: 'high' }, { endpoint: TRENDING });
    const alone = await mixing.answer({ feed_id: '@own', top_k: 5 }, 'trending');
    const shown = await page({ feed_id: '@own', percent: 100 }, { time_decay: 'low', top_k: 5 });
    expect(shown.scores).toEqual(alone.scores);
  });

  test('is mixed in the same proportion with the main list and its fallbacks', async () => {
    const { inclusion } = inclusionCovariance(chosenSets(WEIGHTS(20), 2), 10);
    const expected = inclusion.reduce((sum, probability) => sum + probability, 0);
    const request = { ...only('d'), ...falling('@b') };
    const all = await pages({ feed_id: '@c', percent: 10 }, request, 500);
    const shown = all.reduce((sum, each) => sum + each.from('promotion:@c').length, 0);
    // 6 standard deviations of the mean, which is about 0.03.
    expect(Math.abs(shown / all.length - expected)).toBeLessThan(0.18);
    for (const each of all) expect(each.ids).toHaveLength(10);
  });

  test('may be a fallback feed while the main list does not need it', async () => {
    const request = { top_k: 20, ...falling('@b') };
    const enough = await page({ ...B, percent: 20 }, request);
    expect(enough.warnings).toEqual([]);
    expect(enough.from('promotion:@b').length).toBeGreaterThan(0);
    const short = await page({ ...B, percent: 20 }, { ...request, ...only('d') });
    expect([short.runs, short.warnings.length]).toEqual(['main:popular 5, fallback_main_1:@b 15', 1]);
  });

  test('of more than half of a page causes a warning', async () => {
    expect((await page({ ...B, percent: 50 })).warnings).toEqual([]);
    expect((await page({ ...B, percent: 51 })).warnings).toHaveLength(1);
    const config = mixing.withIds(promoting({ ...B, percent: 80 }));
    const { status, body } = await mixing.account.create({ name: 'x', config });
    expect([status, body.warnings.length]).toEqual([201, 1]);
  });
});

describe('the filters of a promotion', () => {
  test.each<[string, Fields, Fields, string, string[]]>([
    ['with 0 percent have no effect', { ...B, percent: 0 }, {}, 'main:popular 10', ids('a', 10)],
    ['with 100 percent have the page', { ...B, percent: 100 }, {}, 'promotion:@b 10', ids('b', 10)],
    [
      "apply in addition to the promoted feed's own filters",
      { ...B, percent: 100, filters: { engagement: { max_likes_count: 490 } } },
      { top_k: 5 },
      'promotion:@b 5',
      ids('b', 15, 10),
    ],
    ['may leave nothing of a feed', { ...B, ...CHANNEL_C }, {}, 'main:popular 10', ids('a', 10)],
    ['define a feed if none is named', CHANNEL_C, { top_k: 5 }, 'promotion:ad 5', ids('c', 5)],
  ])('%s', async (_sentence, promotion, request, runs, items) => {
    const shown = await page(promotion, request);
    expect([shown.runs, shown.ids]).toEqual([runs, items]);
    const name = runs.startsWith('promotion') ? 'ad' : undefined;
    expect(shown.items.every(({ promotion_name }) => promotion_name === name)).toBe(true);
  });

  test.each(FEED_TYPES)(
    'are the only ones of such a feed, with the type and scoring of the main feed: %s',
    async (type) => {
      const request = { user_id: 'viewer', top_k: 5 };
      const shown = await mixing.answer({ ...request, ...only('a'), ...promoting(CHANNEL_C) }, type);
      const alone = await mixing.answer({ ...request, ...only('c') }, type);
      const scores = ({ items }: Answer) => items.map(({ item_id, score }) => [item_id, score]);
      expect(scores(shown)).toEqual(scores(alone));
    },
  );

  test('that are empty define a feed of all items', async () => {
    expect((await page({ percent: 100, filters: {} }, { ...only('d'), top_k: 65 })).runs).toBe(
      'promotion:ad 65',
    );
  });
});

test('a request can remove or replace a saved promotion', async () => {
  await mixing.save('@promoting', { ...only('a'), ...promoting({ ...B, percent: 100 }), top_k: 5 });
  for (const [promotion_filters, runs] of [
    [undefined, 'promotion:@b 5'],
    [null, 'promotion:@b 5'],
    ...[[], '', 'none'].map((off) => [off, 'main:@promoting 5'] as const),
    [[{ promotion_type: 'feed', promotion_name: 'other', ...CHANNEL_C }], 'promotion:other 5'],
  ] as const) {
    const shown = await mixing.answer({ feed_id: '@promoting', promotion_filters });
    expect([promotion_filters, shown.runs]).toEqual([promotion_filters, runs]);
  }
});
