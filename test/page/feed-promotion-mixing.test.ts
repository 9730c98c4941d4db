import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { chosenSets, inclusionCovariance, WEIGHTS } from '../plugins/promotions/weighted-sampling.ts';
import { type Answer, ids, type Mixing, only, openMixing, TRENDING, upTo } from './mixing-support.ts';

let mixing: Mixing;
let feed_b: string;
beforeAll(async () => {
  mixing = await openMixing();
  feed_b = await mixing.feedOf('b');
});
afterAll(() => mixing[Symbol.asyncDispose]());

function promoting(promotion: Fields, request: Fields = {}): Promise<Answer> {
  const whole = { promotion_type: 'feed', promotion_name: 'ad', ...promotion };
  return mixing.answer({ top_k: 10, ...only('a'), promotion_filters: [whole], ...request });
}

describe('a promoted feed', () => {
  test('adds items with its own label and the name of the promotion', async () => {
    const page = await promoting({ feed_id: feed_b, percent: 30 }, { seed: 1 });
    const promoted = page.items.filter((item) => Object.hasOwn(item, 'promotion_name'));
    expect(promoted.length).toBeGreaterThan(0);
    for (const { source_feed, promotion_name } of promoted) {
      expect([source_feed, promotion_name]).toEqual([`promotion:${feed_b}`, 'ad']);
    }
    expect(new Set(page.labels)).toEqual(new Set(['main:popular', `promotion:${feed_b}`]));
    expect(page.warnings).toEqual([]);
  });

  test('and the main feed keep their order, and each starts with its best', async () => {
    for (const seed of upTo(20)) {
      const page = await promoting({ feed_id: feed_b, percent: 30 }, { seed });
      expect(page.ids).toHaveLength(10);
      const promoted = page.from(`promotion:${feed_b}`);
      expect(promoted).toEqual(ids('b', promoted.length));
      expect(page.from('main:popular')).toEqual(ids('a', 10 - promoted.length));
      expect(promoted.length).toBeLessThanOrEqual(6);
    }
  });

  test('has new random slots at each request, and the same slots for the same seed', async () => {
    const twice = await Promise.all(
      [1, 1].map((seed) => promoting({ feed_id: feed_b, percent: 30 }, { seed })),
    );
    expect(twice[0]).toEqual(twice[1]);
    const pages = await Promise.all(upTo(20).map(() => promoting({ feed_id: feed_b, percent: 30 })));
    expect(new Set(pages.map((page) => page.runs)).size).toBeGreaterThan(1);
  });

  test.each([
    [0, 'main:popular 10'],
    [100, 'promotion 10'],
  ])('with %p percent is %p', async (percent, runs) => {
    const page = await promoting({ feed_id: feed_b, percent });
    expect(page.runs.replace(`promotion:${feed_b}`, 'promotion')).toBe(runs);
  });

  test('that runs out is filled up from the main list, and vice versa', async () => {
    const few = { feed_id: feed_b, percent: 100, filters: { engagement: { min_likes_count: 499 } } };
    for (const seed of upTo(10)) {
      const page = await promoting(few, { seed });
      const promoted = page.from(`promotion:${feed_b}`);
      expect(promoted).toEqual(ids('b', promoted.length));
      expect(promoted.length).toBeLessThanOrEqual(2);
      expect(page.from('main:popular')).toEqual(ids('a', 10 - promoted.length));
    }
    const short = await promoting({ feed_id: feed_b, percent: 10 }, only('d'));
    expect(short.from('main:popular')).toEqual(ids('d', 5));
    expect(short.from(`promotion:${feed_b}`)).toEqual(ids('b', 5));
  });

  test('shares no item with the main list', async () => {
    for (const seed of upTo(10)) {
      const page = await promoting({ feed_id: feed_b, percent: 40 }, { ...only('a', 'b'), top_k: 40, seed });
      expect(page.ids).toHaveLength(40);
      expect(new Set(page.ids).size).toBe(40);
      const promoted = page.from(`promotion:${feed_b}`);
      expect(promoted).toEqual(ids('b', promoted.length));
    }
  });

  test('has no more items than requested if they would not make the page longer', async () => {
    for (const [percent, top_k, promoted] of [
      [0, 20, 0],
      [0, 21, 0],
      [0, 25, 0],
      [10, 21, 5],
      [30, 25, 15],
    ]) {
      const page = await promoting({ feed_id: feed_b, percent }, { ...only('b'), top_k });
      expect(page.ids.toSorted()).toEqual(ids('b', 20));
      expect(page.from(`promotion:${feed_b}`)).toEqual(ids('b', promoted));
    }
    const page = await promoting({ percent: 0, filters: {} }, { ...only('b'), top_k: 23 });
    expect(page.from('main:popular')).toEqual(ids('b', 20));
    expect(page.from('promotion:ad')).toHaveLength(3);
  });

  test('runs with its own filters, type and scoring, and the main feed with its own', async () => {
    await mixing.community.act('fan', 'like', 'c-09');
    const own = { endpoint: TRENDING, config: { ...only('c'), time_decay: 'high' } };
    const feed_id = await mixing.account.add(own);
    const alone = await mixing.account.ask('trending', { feed_id, top_k: 5 });
    const page = await promoting({ feed_id, percent: 100 }, { time_decay: 'low', top_k: 5 });
    const scores = ({ item_id, score, adjusted_score }: Fields) => [item_id, score, adjusted_score];
    expect(page.items.map((item) => scores({ ...item }))).toEqual(alone.body.body.map(scores));
  });
});

describe('a promotion of a feed with fallbacks', () => {
  const promotion = (feed_id: string, percent: number) => ({
    promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', percent, feed_id }],
  });

  test('is mixed in the same proportion with the main list and its fallbacks', async () => {
    const [fallback, promoted] = [await mixing.feedOf('b'), await mixing.feedOf('c')];
    const request = { ...only('d'), top_k: 10, fallback_feeds: [{ feed_id: fallback }] };
    const { inclusion } = inclusionCovariance(chosenSets(WEIGHTS(20), 2), 10);
    const expected = inclusion.reduce((sum, probability) => sum + probability, 0);
    const pages = await Promise.all(
      upTo(500).map((seed) => mixing.answer({ ...request, ...promotion(promoted, 10), seed })),
    );
    const shown = pages.reduce((sum, page) => sum + page.from(`promotion:${promoted}`).length, 0);
    // 6 standard deviations of the mean, which is about 0.03.
    expect(Math.abs(shown / pages.length - expected)).toBeLessThan(0.18);
    for (const page of pages) expect(page.ids).toHaveLength(10);
  });

  test('may promote a fallback feed while the main list does not need it', async () => {
    const request = { top_k: 20, fallback_feeds: [{ feed_id: feed_b }], ...promotion(feed_b, 20) };
    const enough = await mixing.answer({ ...only('a'), ...request });
    expect(enough.warnings).toEqual([]);
    expect(enough.from(`promotion:${feed_b}`).length).toBeGreaterThan(0);
    const short = await mixing.answer({ ...only('d'), ...request });
    expect(short.runs).toBe(`main:popular 5, fallback_main_1:${feed_b} 15`);
    expect(short.warnings).toHaveLength(1);
  });
});

describe('filters of a promotion', () => {
  test("apply in addition to the promoted feed's own filters", async () => {
    const refined = { feed_id: feed_b, percent: 100, filters: { engagement: { max_likes_count: 490 } } };
    const page = await promoting(refined, { top_k: 5 });
    expect(page.ids).toEqual(ids('b', 15, 10));
    expect(new Set(page.labels)).toEqual(new Set([`promotion:${feed_b}`]));
    const nothing = await promoting({ ...refined, filters: { channels: ['c'] } });
    expect(nothing.runs).toBe('main:popular 10');
  });

  test('define a feed if no feed is named, labelled with the promotion', async () => {
    const page = await promoting({ percent: 100, filters: { channels: ['c'] } }, { top_k: 5 });
    expect(page.runs).toBe('promotion:ad 5');
    expect(page.ids).toEqual(ids('c', 5));
    expect(page.items.every(({ promotion_name }) => promotion_name === 'ad')).toBe(true);
  });

  test('are the only filters of such a feed, which has the type and scoring of the main feed', async () => {
    for (const feed_type of ['popular', 'trending', 'for-you'] as const) {
      const promotion = {
        promotion_type: 'feed',
        promotion_name: 'ad',
        percent: 100,
        filters: { channels: ['c'] },
      };
      const request = { user_id: 'viewer', top_k: 5, ...only('a'), promotion_filters: [promotion] };
      const page = await mixing.answer(request, feed_type);
      const alone = await mixing.answer({ user_id: 'viewer', top_k: 5, ...only('c') }, feed_type);
      const scores = ({ items }: Answer) => items.map(({ item_id, score }) => [item_id, score]);
      expect(scores(page)).toEqual(scores(alone));
    }
  });

  test('that are empty define a feed of all items', async () => {
    const page = await promoting({ percent: 100, filters: {} }, { ...only('d'), top_k: 65 });
    expect(page.runs).toBe('promotion:ad 65');
  });
});

describe('a promoted feed that cannot be built', () => {
  const gone = async () => {
    const feed_id = await mixing.feedOf('c');
    await mixing.account.remove(feed_id);
    return feed_id;
  };

  test('is a 404 if the request names it', async () => {
    for (const feed_id of ['feed_999', await gone(), await mixing.feedOf('c', {}, { status: 'inactive' })]) {
      const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, feed_id };
      const { status, body } = await mixing.community.ask('popular', { promotion_filters: [promotion] });
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(body.detail).toContain(feed_id);
    }
  });

  test('is skipped with a warning if it was saved', async () => {
    const promoted = await mixing.feedOf('c');
    const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, feed_id: promoted };
    const feed_id = await mixing.feedOf('a', { promotion_filters: [promotion], top_k: 5 });
    await mixing.account.set(promoted, { status: 'inactive' });
    for (const state of ['inactive', 'gone']) {
      const page = await mixing.answer({ feed_id });
      expect([state, page.runs]).toEqual([state, `main:${feed_id} 5`]);
      expect(page.warnings).toHaveLength(1);
      expect(page.warnings[0]).toContain(promoted);
      await mixing.account.remove(promoted);
    }
  });

  test('is skipped if it is the feed itself', async () => {
    const feed_id = await mixing.feedOf('a', { top_k: 5 });
    const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, feed_id };
    const page = await mixing.answer({ feed_id, promotion_filters: [promotion] });
    expect(page.runs).toBe(`main:${feed_id} 5`);
    expect(page.warnings).toHaveLength(1);
  });
});

test('a promotion of more than half of a page causes a warning', async () => {
  expect((await promoting({ feed_id: feed_b, percent: 50 })).warnings).toEqual([]);
  expect((await promoting({ feed_id: feed_b, percent: 51 })).warnings).toHaveLength(1);
  const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 80, feed_id: feed_b };
  const { status, body } = await mixing.account.create({
    name: 'x',
    config: { promotion_filters: [promotion] },
  });
  expect(status).toBe(201);
  expect(body.warnings).toHaveLength(1);
});

test('a request can remove or replace a saved promotion', async () => {
  const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 100, feed_id: feed_b };
  const feed_id = await mixing.feedOf('a', { promotion_filters: [promotion], top_k: 5 });
  expect((await mixing.answer({ feed_id })).runs).toBe(`promotion:${feed_b} 5`);
  for (const promotion_filters of [[], '', 'none']) {
    expect((await mixing.answer({ feed_id, promotion_filters })).runs).toBe(`main:${feed_id} 5`);
  }
  const other = {
    promotion_type: 'feed',
    promotion_name: 'other',
    percent: 100,
    filters: { channels: ['c'] },
  };
  expect((await mixing.answer({ feed_id, promotion_filters: [other] })).runs).toBe('promotion:other 5');
  expect((await mixing.answer({ feed_id, promotion_filters: null })).runs).toBe(`promotion:${feed_b} 5`);
});
