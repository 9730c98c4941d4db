import { describe, expect, test } from 'bun:test';
import { Baselines, type REPLAY_BASELINES } from '../../src/evaluate/baselines.ts';
import type { Timeline } from '../../src/evaluate/timeline.ts';
import { jsonl } from '../interchange/support.ts';
import { plantedActs } from './planted.ts';
import { actsCsv, itemsJsonl, type PlantedAct, PRESENT, START, timelineOf } from './support.ts';

const HOUR = 3600;

/** `old` led until yesterday, `day` led today, `hour` leads now; u follows f, who did `quiet` and `day`. */
const ACTS: PlantedAct[] = [
  ...acts('old', 6, 0),
  ...acts('day', 4, 40 * HOUR),
  ...acts('hour', 3, 49.5 * HOUR),
  ['f', 'quiet', 40 * HOUR + 500],
  ['f', 'day', 40 * HOUR + 501],
  ['u', 'own', 40 * HOUR + 502],
  ['x', 'later', 51 * HOUR],
];

function acts(item: string, count: number, after: number): PlantedAct[] {
  return Array.from({ length: count }, (_, index) => [`p${index}`, item, after + index]);
}

async function baselines(after: number): Promise<{ timeline: Timeline; known: Baselines }> {
  const timeline = await timelineOf({
    'items.jsonl': itemsJsonl([
      ['old', 0],
      ['own', 0],
      ['day', 40 * HOUR],
      ['quiet', 40 * HOUR],
      ['hour', 49 * HOUR],
    ]),
    'follows.csv': `user_id,target_user_id,timestamp\nu,f,${START}\nu,p0,${START}\n`,
    'interactions.csv': actsCsv(ACTS),
  });
  const known = new Baselines(timeline, 1);
  known.advance(timeline.at(START + after));
  return { timeline, known };
}

describe('baselines', () => {
  test.each([
    ['popular', ['old', 'day', 'hour', 'quiet']],
    ['last-hour', ['hour', 'quiet', 'day', 'old']],
    ['recent day', ['day', 'hour', 'quiet', 'old']],
    // 2 / 3^1.8, 4 / 12^1.8, 5 / 52^1.8, 0
    ['(points-1)/(age+2)^1.8', ['hour', 'day', 'old', 'quiet']],
    // f and p0; p0 and f; p0; p0
    ['followees who shared', ['day', 'hour', 'quiet', 'old']],
  ] as const)(
    'the baseline %s has its order, without items that the user has acted on and future items',
    async (name, order) => {
      const { timeline, known } = await baselines(50 * HOUR);
      const u = timeline.users.add('u');
      const ids = (items: readonly number[]) => items.map((item) => timeline.items.id(item));
      expect(ids(known.page(name, u, 10))).toEqual([...order]);
      expect(ids(known.page(name, u, 2))).toEqual(order.slice(0, 2));
    },
  );

  test('baselines give tied items the mean of their ranks', async () => {
    const { timeline, known } = await baselines(50 * HOUR);
    const u = timeline.users.add('u');
    const rank = (name: (typeof REPLAY_BASELINES)[number], item: string) =>
      known.rank(name, u, timeline.items.add(item));
    expect([rank('popular', 'old'), rank('popular', 'day'), rank('popular', 'quiet')]).toEqual([1, 2, 4]);
    // All but `hour` have had nothing: places 2 to 4.
    expect([rank('last-hour', 'hour'), rank('last-hour', 'old'), rank('last-hour', 'quiet')]).toEqual([
      1, 3, 3,
    ]);
    expect(rank('popular', 'later')).toBe(Number.POSITIVE_INFINITY);
  });

  test('the random baseline draws every page anew, from items that are new to the user', async () => {
    const { timeline, known } = await baselines(50 * HOUR);
    const u = timeline.users.add('u');
    const pages = Array.from({ length: 30 }, () => known.page('random', u, 4));
    const all = [...known.items].filter((item) => !known.history(u).has(item)).sort();
    for (const page of pages) expect([...page].sort()).toEqual(all);
    expect(new Set(pages.map(String)).size).toBeGreaterThan(5);
  });

  test('baselines follow moderation and new descriptions of items', async () => {
    const timeline = await timelineOf({
      'items.jsonl':
        itemsJsonl([
          ['gone', 0],
          ['back', 0],
          ['stays', 0],
        ]) +
        jsonl([
          { item_id: 'gone', hidden: true },
          { item_id: 'back', hidden: true },
          { item_id: 'stays', text: 'corrected' },
          { item_id: 'back', hidden: false },
          { item_id: 'stays', author_id: null, created_at: START + 5 },
        ]),
    });
    const known = new Baselines(timeline, 1);
    known.advance(timeline.at(START));
    expect(known.items.map((item) => timeline.items.id(item))).toEqual(['stays', 'back']);
    expect(known.exists(timeline.items.add('gone'))).toBe(false);
  });

  test('baselines do not know an item whose line was rejected from acts on it', async () => {
    const timeline = await timelineOf({
      'items.jsonl': jsonl([
        { item_id: 'bad', author_id: 'w', created_at: 1e12 },
        { item_id: 'incomplete', created_at: START },
        { item_id: 'good', author_id: 'w', created_at: START },
        { item_id: 'good', hidden: true, created_at: 1e12 },
      ]),
      'interactions.csv': actsCsv(['bad', 'incomplete', 'good', 'bare'].map((item) => ['u', item, 5])),
    });
    const known = new Baselines(timeline, 1);
    known.advance(timeline.at(START + 10));
    expect(known.items.map((item) => timeline.items.id(item))).toEqual(['bare']);
  });

  test('pages of baselines agree with the ranks where no items tie', async () => {
    const timeline = await timelineOf({ 'interactions.csv': actsCsv(plantedActs()) });
    const known = new Baselines(timeline, 1);
    known.advance(timeline.at(timeline.end(PRESENT)));
    for (const user of [0, 7, 20]) {
      for (const name of ['popular', 'recent day', 'last-hour'] as const) {
        const ranks = known.page(name, user, 30).map((item) => known.rank(name, user, item));
        expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
        expect(ranks[0]).toBeGreaterThanOrEqual(1);
      }
    }
  });
});
