import { describe, expect, test } from 'bun:test';
import { jsonl } from '../interchange/support.ts';
import { plantedReplay } from './planted.ts';
import { actsCsv, countsCsv, evaluated, itemsJsonl, type PlantedAct, START } from './support.ts';

const BASELINES = [
  'random',
  'popular',
  'last-hour',
  '(points-1)/(age+2)^1.8',
  'recent day',
  'followees who shared',
];

describe('feedloom evaluate replay', () => {
  test('evaluate replay predicts more by taste than by popularity', async () => {
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

  test('evaluate replay evaluates every scoring function of the feed type by default, and all baselines', async () => {
    const ask = ['replay', '--sample', '5'];
    const all = await evaluated(plantedReplay(), ...ask);
    const served = all.rows.filter(({ baseline }) => !baseline).map(({ name }) => name);
    expect(served).toContain('balanced_feed_v0.0.1');
    expect(served).not.toContain('trending_v0.0.1');
    expect(all.rows.slice(served.length).map(({ name }) => name)).toEqual(BASELINES);
    const one = await evaluated(plantedReplay(), ...ask, '--type', 'popular', '--scoring', 'popular_v0.0.1');
    expect(one.rows.map(({ name }) => name)).toEqual(['popular_v0.0.1', ...BASELINES]);
    const means = ['ndcg', 'hit_rate', 'mrr'].flatMap((figure) => [figure, `${figure}_ci`]);
    const figures = ['name', 'baseline', 'users', ...means, 'coverage'];
    expect(Object.keys(one.rows[0])).toEqual([...figures, 'p50_us', 'p99_us']);
    expect(Object.keys(one.rows[1])).toEqual(figures);
  });

  test('evaluate replay gives the same result for a seed', async () => {
    const ask = ['replay', '--sample', '10', '--seed'];
    const one = await evaluated(plantedReplay(), ...ask, '3');
    expect((await evaluated(plantedReplay(), ...ask, '3')).untimed).toBe(one.untimed);
    expect((await evaluated(plantedReplay(), ...ask, '4')).untimed).not.toBe(one.untimed);
  });

  /** Two likes of u, which are the minimum to be evaluated. */
  const before: PlantedAct[] = [
    ['u', 'x', 10],
    ['u', 'y', 20],
  ];

  test('evaluate replay includes a user whose two interactions are with one item', async () => {
    const acts: PlantedAct[] = [
      ['u', 'x', 10],
      ['u', 'x', 20, 'share'],
      ['u', 'liked', 50],
    ];
    const files = { 'items.jsonl': itemsJsonl([['liked', 0]]), 'interactions.csv': actsCsv(acts) };
    const { rows } = await evaluated(files, 'replay', '--from', String(START + 40));
    for (const { users, hit_rate } of rows) expect({ users, hit_rate }).toEqual({ users: 1, hit_rate: 1 });
  });

  test('evaluate replay shows the community of the time, without later items and acts', async () => {
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

  test('evaluate replay uses the follows of the time', async () => {
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
    // u follows no user yet, so `told` and `loud` tie with the rank 1.5.
    expect(later.row('followees who shared').mrr).toBeCloseTo(1 / 1.5, 9);
  });

  test('evaluate replay learns nothing about an item from the act to predict', async () => {
    const acts: PlantedAct[] = [];
    for (let round = 0; round < 6; round++) {
      for (const user of ['u', 'v', 'w']) acts.push([user, `${user}${round}`, acts.length]);
    }
    const ask = ['replay', '--from-share', '0.5'];
    // Each act is the first to name its item, so no other record says that it exists.
    const first = await evaluated({ 'interactions.csv': actsCsv(acts) }, ...ask);
    for (const { users, hit_rate } of first.rows)
      expect({ users, hit_rate }).toEqual({ users: 3, hit_rate: 0 });
    const described = (earlier: number) => ({
      'items.jsonl': itemsJsonl(acts.map(([, item, after]) => [item, after - earlier])),
      'interactions.csv': actsCsv(acts),
    });
    const at_once = await evaluated(described(0), ...ask);
    for (const { hit_rate } of at_once.rows) expect(hit_rate).toBe(0);
    const before_it = await evaluated(described(1), ...ask);
    for (const { hit_rate } of before_it.rows) expect(hit_rate).toBe(1);
  });

  test('evaluate replay ignores counts of the very moment of the act', async () => {
    const files = {
      'items.jsonl': itemsJsonl(['x', 'y', 'liked', 'ahead'].map((item) => [item, 0])),
      'engagement.csv': countsCsv([
        ['ahead', 10, 5],
        ['liked', 10, 4],
        ['liked', 50, 6],
      ]),
      'interactions.csv': actsCsv([...before, ['u', 'liked', 50]]),
    };
    const { row } = await evaluated(files, 'replay', '--from', String(START + 30), '--top-k', '1');
    expect(row('popular').hit_rate).toBe(0);
  });

  test('evaluate replay adds later likes to the count of a source', async () => {
    const items = ['x', 'y', 'liked', 'other'].map((item_id) => ({
      item_id,
      author_id: 'w',
      created_at: START,
      likes_count: 0,
      updated_at: START,
    }));
    const files = {
      'items.jsonl': jsonl(items),
      'interactions.csv': actsCsv([...before, ['v', 'liked', 30], ['u', 'liked', 50]]),
    };
    const { row } = await evaluated(files, 'replay', '--from', String(START + 40), '--top-k', '1');
    for (const name of ['popular', 'last-hour', 'recent day']) expect(row(name).mrr).toBe(1);
  });

  test('evaluate replay treats items like an import: items of insufficient lines are reported and not shown', async () => {
    const acts = actsCsv([...before, ['v', 'early', 30], ['u', 'early', 50]]);
    const ask = ['replay', '--from', String(START + 40), '--top-k', '1'];
    const lines = ['x', 'y', 'early', 'never'].map((item_id) => ({ item_id, created_at: START }));
    const told = await evaluated({ 'interactions.csv': acts, 'items.jsonl': jsonl(lines) }, ...ask);
    expect(told.stderr).toBe(
      [1, 2, 3, 4].map((line) => `items.jsonl:${line}: author_id: is required for a new item\n`).join(''),
    );
    // Items whose lines were rejected are not shown.
    expect(told.row('balanced_feed_v0.0.1').hit_rate).toBe(0);
  });

  test('evaluate replay uses later lines about a described item', async () => {
    const files = {
      'items.jsonl':
        itemsJsonl(['x', 'y', 'liked', 'other'].map((item, after) => [item, after])) +
        jsonl([{ item_id: 'other', hidden: true }]),
      'interactions.csv': actsCsv([...before, ['v', 'other', 30], ['u', 'liked', 50]]),
    };
    const { rows, stderr } = await evaluated(files, 'replay', '--from', String(START + 40), '--top-k', '1');
    expect(stderr).toBe('');
    // Only `liked` is left to show.
    for (const { hit_rate, mrr } of rows) expect({ hit_rate, mrr }).toEqual({ hit_rate: 1, mrr: 1 });
  });

  test('evaluate replay hides views of the items to predict from recommenders', async () => {
    const items = ['x', 'y', 'liked', 'other'].map((item): [string, number] => [item, 0]);
    const acts = actsCsv([...before, ['u', 'liked', 29, 'view'], ['u', 'liked', 30]]);
    const ask = ['replay', '--from', String(START + 25)];
    const { row } = await evaluated({ 'items.jsonl': itemsJsonl(items), 'interactions.csv': acts }, ...ask);
    // `liked` and `other` tie with the rank 1.5, as no other user has engaged with them.
    for (const name of ['popular', 'last-hour', 'recent day']) expect(row(name).mrr).toBeCloseTo(1 / 1.5, 9);
    const bare = await evaluated({ 'interactions.csv': acts }, ...ask);
    for (const { hit_rate } of bare.rows) expect(hit_rate).toBe(0);
  });

  test('evaluate replay is not affected by views of the items to predict, nor by past impressions', async () => {
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
