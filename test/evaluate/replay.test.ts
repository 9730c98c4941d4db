import { describe, expect, test } from 'bun:test';
import { jsonl } from '../ingest/interchange/support.ts';
import { plantedReplay } from './planted.ts';
import { actsCsv, evaluated, itemsJsonl, type PlantedAct, START } from './support.ts';

const BASELINES = [
  'random',
  'popular',
  'last-hour',
  '(points-1)/(age+2)^1.8',
  'recent day',
  'followees who shared',
];

describe('feedloom evaluate replay', () => {
  test('foresees more by following taste than by popularity', async () => {
    const { protocol, row } = await evaluated(
      plantedReplay(),
      'replay',
      '--from-share',
      '0.6',
      '--top-k',
      '10',
    );
    expect(protocol).toBe('replay');
    const served = row('balanced_feed_v0.0.1');
    expect(served.hit_rate).toBeGreaterThan(1.5 * (row('popular').hit_rate ?? 1));
    expect(served.mrr).toBeGreaterThan(1.5 * (row('popular').mrr ?? 1));
  });

  test('asks every scoring function for the feed type unless told which, beside all baselines', async () => {
    const ask = ['replay', '--sample', '5'];
    const all = await evaluated(plantedReplay(), ...ask);
    const served = all.rows.filter(({ baseline }) => !baseline).map(({ name }) => name);
    expect(served).toContain('balanced_feed_v0.0.1');
    expect(served).not.toContain('trending_v0.0.1');
    expect(all.rows.slice(served.length).map(({ name }) => name)).toEqual(BASELINES);
    const one = await evaluated(plantedReplay(), ...ask, '--type', 'popular', '--scoring', 'popular_v0.0.1');
    expect(one.rows.map(({ name }) => name)).toEqual(['popular_v0.0.1', ...BASELINES]);
    const figures = ['name', 'baseline', 'users', 'ndcg', 'hit_rate', 'mrr', 'coverage'];
    expect(Object.keys(one.rows[0])).toEqual([...figures, 'p50_us', 'p99_us']);
    expect(Object.keys(one.rows[1])).toEqual(figures);
  });

  test('says the same for a seed', async () => {
    const ask = ['replay', '--sample', '40', '--seed'];
    const one = await evaluated(plantedReplay(), ...ask, '3');
    expect((await evaluated(plantedReplay(), ...ask, '3')).untimed).toBe(one.untimed);
    expect((await evaluated(plantedReplay(), ...ask, '4')).untimed).not.toBe(one.untimed);
  });

  /** Two likes of u, which make u somebody to ask about. */
  const before: PlantedAct[] = [
    ['u', 'x', 10],
    ['u', 'y', 20],
  ];

  test('shows the community as it was: no item and no act of later', async () => {
    const files = {
      'items.jsonl': itemsJsonl([
        ['x', 0],
        ['y', 0],
        ['early', 0],
        ['late', 100],
      ]),
      'interactions.csv': actsCsv([
        ...before,
        ['u', 'early', 50],
        ['v', 'late', 110],
        ['w', 'late', 120],
        ['u', 'late', 130],
      ]),
    };
    // At 50 `early` is all that there is; at 130 `late` is.
    const { rows } = await evaluated(files, 'replay', '--from', String(START + 30), '--top-k', '1');
    for (const { users, hit_rate, mrr } of rows) {
      expect({ users, hit_rate, mrr }).toEqual({ users: 1, hit_rate: 1, mrr: 1 });
    }
  });

  test('knows whom the user follows by then', async () => {
    const sharing: PlantedAct[] = [
      ['friend', 'told', 30, 'share'],
      ['s1', 'loud', 31],
      ['s2', 'loud', 32],
      ['u', 'told', 50],
    ];
    const follows = (after: number) => `user_id,target_user_id,timestamp\nu,friend,${START + after}\n`;
    const files = { 'interactions.csv': actsCsv([...before, ...sharing]) };
    const ask = ['replay', '--from', String(START + 40), '--top-k', '1'];
    const known = await evaluated({ ...files, 'follows.csv': follows(5) }, ...ask);
    expect(known.row('followees who shared').hit_rate).toBe(1);
    expect(known.row('popular').hit_rate).toBe(0);
    const later = await evaluated({ ...files, 'follows.csv': follows(60) }, ...ask, '--top-k', '2');
    // Nobody to follow yet: `told` and `loud` tie, and each is at one and a half.
    expect(later.row('followees who shared').mrr).toBeCloseTo(1 / 1.5, 9);
  });

  test('is not misled by views of what the user likes next, nor by what pages have shown', async () => {
    const files = {
      'items.jsonl': jsonl(
        ['x', 'y', 'liked'].map((item_id) => ({ item_id, author_id: 'w', created_at: START })),
      ),
      'impressions.csv': `user_id,item_id,timestamp\nu,liked,${START + 25}\n`,
      'interactions.csv': actsCsv([...before, ['u', 'liked', 29, 'view'], ['u', 'liked', 30]]),
    };
    const { row } = await evaluated(files, 'replay', '--from', String(START + 25));
    expect(row('balanced_feed_v0.0.1').hit_rate).toBe(1);
  });
});
