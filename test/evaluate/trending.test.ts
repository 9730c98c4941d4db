import { describe, expect, test } from 'bun:test';
import { jsonl } from '../interchange/support.ts';
import { plantedBursts } from './planted.ts';
import {
  actsCsv,
  countsCsv,
  evaluated,
  itemsJsonl,
  type JsonRow,
  type PlantedAct,
  START,
} from './support.ts';

const HOUR = 3600;
const STEPS = ['trending', '--every', '1h', '--horizon', '1h', '--active-within', '3h'];
/** The steps begin an hour after the start, before `END`. */
const AN_HOUR_ON = [...STEPS, '--from', String(START + HOUR), '--top-k'];
const END: PlantedAct = ['x', 'old', 9 * HOUR];
/** By the first step `a` has two likes and `b` one. */
const LIKED: PlantedAct[] = [
  ['u', 'a', HOUR - 10],
  ['v', 'a', HOUR - 9],
  ['u', 'b', HOUR - 8],
];

describe('feedloom evaluate trending', () => {
  test('evaluate trending ranks a burst above long-term popularity', async () => {
    const from = String(START + 5 * HOUR);
    const { protocol, top_k, rows, row } = await evaluated(plantedBursts(), ...STEPS, '--from', from);
    expect({ protocol, top_k }).toEqual({ protocol: 'trending', top_k: 10 });
    expect(rows.map(({ name, baseline }) => [name, baseline])).toEqual([
      ['trending', false],
      ['weighted_v0.0.1', false],
      ['learned_v0.0.1', false],
      ['newest_v0.0.1', false],
      ['random', true],
      ['popular', true],
      ['last-hour', true],
      ['(points-1)/(age+2)^1.8', true],
    ]);
    const means = ['ndcg', 'precision'].flatMap((figure) => [figure, `${figure}_ci`]);
    expect(Object.keys(rows[0])).toEqual(['name', 'baseline', ...means, 'p50_us', 'p99_us']);
    expect(Object.keys(row('random'))).toEqual(['name', 'baseline', ...means]);
    expect(row('last-hour').ndcg).toBeGreaterThan(row('popular').ndcg);
    expect(row('trending').ndcg).toBeGreaterThan(row('popular').ndcg);
  });

  /** `a` leads and stops, `b` rises, `c` rises most but has been inactive for long. */
  const counted = {
    'items.jsonl': itemsJsonl([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ]),
    'engagement.csv': countsCsv([
      ['a', 0, 50],
      ['b', 0, 0],
      ['c', 0, 5],
      ['a', 9 * HOUR, 60],
      ['b', 9 * HOUR, 1],
      ['a', 10 * HOUR, 60],
      ['b', 10 * HOUR, 11],
      ['a', 11 * HOUR, 62],
      ['b', 11 * HOUR, 21],
      ['c', 11 * HOUR, 99],
    ]),
  };

  test('evaluate trending uses the counts of a source where it has them, among active items', async () => {
    const from = String(START + 10 * HOUR);
    const { rows, row } = await evaluated(counted, ...STEPS, '--from', from, '--top-k', '1');
    // One step, after which `a` gains 2 and `b` 10; a page of one item is worth 1 or 0.2.
    expect(row('popular')).toMatchObject({ ndcg: 0.2, precision: 0 });
    expect(row('last-hour')).toMatchObject({ ndcg: 1, precision: 1 });
    for (const { ndcg } of rows) expect([1, 0.2]).toContain(ndcg);
  });

  /** Two functions for trending feeds (most and fewest likes first), and one for other feeds. */
  const LIKES = `
    import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
    const by = (power, feeds) => defineScoringFunction({
      summary: 'By likes.',
      feeds,
      options: Type.Object({}),
      compile: () => (request) => (item) => (1 + request.item.likes_count(item)) ** power,
    });
    export default definePlugin({
      meta: { name: 'acme', version: '1.0.0', api: 2 },
      scoring_functions: {
        'acme/most_v1.0.0': by(1, ['trending']),
        'acme/fewest_v1.0.0': by(-1, ['trending', 'popular']),
        'acme/other_v1.0.0': by(1, ['for-you']),
      },
    });
  `;
  const withLikes = (...args: string[]) => {
    const from = String(START + 10 * HOUR);
    const plugins = ['--plugins', '{}/likes.ts'];
    const files = { ...counted, 'likes.ts': LIKES };
    return evaluated(files, ...STEPS, '--from', from, '--top-k', '1', ...plugins, ...args);
  };
  const served = ({ rows }: { rows: JsonRow[] }) =>
    rows.filter(({ baseline }) => !baseline).map(({ name }) => name);

  test('evaluate trending has a row for each scoring function of trending feeds, including plugins', async () => {
    const all = await withLikes();
    expect(served(all)).toEqual([
      ...['trending', 'weighted_v0.0.1', 'learned_v0.0.1', 'newest_v0.0.1'],
      ...['acme/most_v1.0.0', 'acme/fewest_v1.0.0'],
    ]);
    // `a` has the most likes and gains 2, `b` has the fewest and gains 10.
    expect(all.row('acme/most_v1.0.0')).toMatchObject({ ndcg: 0.2, precision: 0 });
    expect(all.row('acme/fewest_v1.0.0')).toMatchObject({ ndcg: 1, precision: 1 });
    expect(all.row('acme/most_v1.0.0').p50_us).toBeGreaterThan(0);
  });

  test('evaluate trending has rows only for the named scoring functions, in order, with the same figures', async () => {
    const all = await withLikes();
    const named = await withLikes('--scoring', 'acme/fewest_v1.0.0,trending_v0.0.1');
    expect(served(named)).toEqual(['acme/fewest_v1.0.0', 'trending']);
    for (const { name, ndcg, precision } of named.rows) {
      expect({ name, ndcg, precision }).toEqual({
        name,
        ndcg: all.row(name).ndcg,
        precision: all.row(name).precision,
      });
    }
  });

  test('evaluate trending shows only active items', async () => {
    const from = String(START + 10 * HOUR);
    const { row } = await evaluated(
      counted,
      'trending',
      '--from',
      from,
      '--active-within',
      '90m',
      '--horizon',
      '1h',
      '--top-k',
      '3',
    );
    // Either order of `a` and `b`; `c` on the page would push one of them down.
    const swapped = (2 + 10 / Math.log2(3)) / (10 + 2 / Math.log2(3));
    expect(row('last-hour').ndcg).toBe(1);
    expect([1, swapped].some((worth) => Math.abs(worth - row('trending').ndcg) < 1e-9)).toBe(true);
  });

  test('evaluate trending skips steps without gain, and counts acts of items without a count', async () => {
    const files = {
      'items.jsonl': itemsJsonl([
        ['a', 0],
        ['b', 0],
      ]),
      'interactions.csv': actsCsv([...LIKED, ['w', 'b', HOUR + 5], ['w', 'b', HOUR + 6, 'hide'], END]),
    };
    const { row } = await evaluated(files, ...AN_HOUR_ON, '2');
    // Of steps at 1 to 8 hours only the first has a gain: popular says a, b; b alone gains.
    expect(row('popular').ndcg).toBeCloseTo(1 / Math.log2(3), 9);
  });

  /** Items of one time; sources have counted some of them at that time. */
  const countedFrom = (items: Record<string, number | undefined>) =>
    jsonl(
      Object.entries(items).map(([item_id, likes_count]) => ({
        item_id,
        author_id: 'w',
        created_at: START,
        ...(likes_count === undefined ? {} : { likes_count, updated_at: START }),
      })),
    );

  test('evaluate trending takes gains only from the source, even if likes come in between', async () => {
    const likes = Array.from({ length: 5 }, (_, at): PlantedAct => [`u${at}`, 'a', HOUR - 10 + at]);
    const files = {
      'items.jsonl': countedFrom({ a: 10, b: 10 }),
      'interactions.csv': actsCsv([['u', 'b', HOUR - 20], ...likes, END]),
      'engagement.csv': countsCsv([
        ['a', HOUR + 5, 14],
        ['b', HOUR + 5, 12],
      ]),
    };
    const { row } = await evaluated(files, ...AN_HOUR_ON, '1');
    // `a` will gain 4 and `b` 2; by then they have 15 and 11, of which 5 and 1 came in the last hour.
    for (const name of ['trending', 'popular', 'last-hour'])
      expect(row(name)).toMatchObject({ ndcg: 1, precision: 1 });
  });

  test('evaluate trending gives an item with a single count no gain', async () => {
    const files = {
      'items.jsonl': countedFrom({ a: 0, b: undefined }),
      'interactions.csv': actsCsv([
        ...LIKED,
        ['w', 'a', HOUR + 4],
        ['x', 'a', HOUR + 5],
        ['w', 'b', HOUR + 6],
        END,
      ]),
    };
    const { row } = await evaluated(files, ...AN_HOUR_ON, '2');
    // Popular says a, b, as likes since the count are engagement; b alone gains.
    expect(row('popular').ndcg).toBeCloseTo(1 / Math.log2(3), 9);
  });

  test('evaluate trending counts acts if the first count is later than the step', async () => {
    const files = {
      'items.jsonl': countedFrom({ a: 0, b: undefined }),
      'interactions.csv': actsCsv([...LIKED, ['w', 'b', HOUR + 4], END]),
      'engagement.csv': countsCsv([
        ['a', HOUR + 5, 3],
        ['b', HOUR + 5, 500],
      ]),
    };
    const { row } = await evaluated(files, ...AN_HOUR_ON, '1');
    // `a` gains 3; `b` gains 1, as it is unknown how many of its 500 likes are new.
    expect(row('popular')).toMatchObject({ ndcg: 1, precision: 1 });
  });

  test('evaluate trending does not count items without gain as top items', async () => {
    const files = {
      'items.jsonl': itemsJsonl([
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ]),
      'interactions.csv': actsCsv([
        ...LIKED,
        ['v', 'b', HOUR - 7],
        ['u', 'c', HOUR - 6],
        ['w', 'c', HOUR + 5],
        END,
      ]),
    };
    // Popular says a and b, then c, which alone gains.
    expect((await evaluated(files, ...AN_HOUR_ON, '2')).row('popular').precision).toBe(0);
    expect((await evaluated(files, ...AN_HOUR_ON, '3')).row('popular').precision).toBe(1);
  });

  test('evaluate trending gives the same result for a seed', async () => {
    const ask = [...STEPS, '--from', String(START + 5 * HOUR), '--seed'];
    const one = await evaluated(plantedBursts(), ...ask, '3');
    expect((await evaluated(plantedBursts(), ...ask, '3')).untimed).toBe(one.untimed);
    expect((await evaluated(plantedBursts(), ...ask, '4')).untimed).not.toBe(one.untimed);
  });
});
