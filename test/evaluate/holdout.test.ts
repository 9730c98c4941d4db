import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { withFolder, writeFiles } from '../interchange/support.ts';
import { plantedHoldout } from './planted.ts';
import { actsCsv, evaluated, itemsJsonl, type PlantedAct } from './support.ts';

const { data, test: held_out } = plantedHoldout();
const FILES = { ...data, 'test.csv': held_out };
const ASK = ['holdout', '--test', '{}/test.csv', '--top-k', '10'];

describe('feedloom evaluate holdout', () => {
  test('evaluate holdout finds more held-out items by taste than by popularity', async () => {
    const { protocol, top_k, row } = await evaluated(FILES, ...ASK);
    expect({ protocol, top_k }).toEqual({ protocol: 'holdout', top_k: 10 });
    const served = row('balanced_feed_v0.0.1');
    const popular = row('popular');
    expect(served.baseline).toBe(false);
    expect(popular.baseline).toBe(true);
    expect(served.recall).toBeGreaterThan(2 * (popular.recall ?? 0));
    expect(served.ndcg).toBeGreaterThan(2 * popular.ndcg);
    expect(served.coverage).toBeGreaterThan(popular.coverage ?? 1);
  });

  test('evaluate holdout gives each row the figures of the protocol, and durations only to the service', async () => {
    const { rows, stderr } = await evaluated(FILES, ...ASK, '--scoring', 'balanced_feed_v0.0.1');
    const means = ['recall', 'ndcg', 'hit_rate', 'mrr'].flatMap((figure) => [figure, `${figure}_ci`]);
    const figures = ['name', 'baseline', 'users', ...means, 'coverage'];
    expect(rows.map(({ name }) => name)).toEqual([
      'balanced_feed_v0.0.1',
      'random',
      'popular',
      'last-hour',
      '(points-1)/(age+2)^1.8',
    ]);
    expect(Object.keys(rows[0])).toEqual([...figures, 'p50_us', 'p99_us']);
    for (const row of rows.slice(1)) expect(Object.keys(row)).toEqual(figures);
    const asked = new Set(
      held_out
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    );
    for (const { users } of rows) expect(users).toBe(asked.size);
    expect(stderr).toBe('');
  });

  test('evaluate holdout gives the same result for a seed, and evaluates at most --sample users', async () => {
    const one = await evaluated(FILES, ...ASK, '--sample', '20', '--seed', '3');
    const again = await evaluated(FILES, ...ASK, '--sample', '20', '--seed', '3');
    const other = await evaluated(FILES, ...ASK, '--sample', '20', '--seed', '4');
    expect(again.untimed).toBe(one.untimed);
    expect(other.untimed).not.toBe(one.untimed);
    expect(one.rows.map(({ users }) => users)).toEqual(one.rows.map(() => 20));
  });

  /** u and v have liked both items, and w one of them. */
  const little: PlantedAct[] = [
    ['u', 'a', 0],
    ['v', 'a', 0],
    ['u', 'b', 0],
    ['v', 'b', 0],
    ['w', 'a', 0],
    ['x', 'c', 0],
  ];

  test.each<[string, PlantedAct[], number, number]>([
    ['all that was held out', [['w', 'b', 9]], 1, 1],
    [
      'half of what was held out, when the rest is not known',
      [
        ['w', 'b', 9],
        ['w', 'never', 9],
      ],
      1,
      0.5,
    ],
    [
      'nothing of users without a history, of what is known already and what was turned away from',
      [
        ['w', 'b', 9],
        ['new', 'a', 9],
        ['u', 'a', 9],
        ['v', 'c', 9, 'hide'],
        ['w', 'c', 9, 'like', 'remove'],
      ],
      1,
      1,
    ],
  ])('evaluate holdout counts %s', async (_what, acts, users, recall) => {
    const files = { 'interactions.csv': actsCsv(little), 'test.csv': actsCsv(acts) };
    const { row } = await evaluated(
      files,
      'holdout',
      '--test',
      '{}/test.csv',
      '--scoring',
      'balanced_feed_v0.0.1',
    );
    expect(row('balanced_feed_v0.0.1')).toMatchObject({ users, recall });
    expect(row('popular')).toMatchObject({ users, recall });
  });

  const HOLD_OUT = ['holdout', '--hold-out', '20%', '--top-k', '10', '--scoring', 'newest_v0.0.1'];

  test('evaluate holdout --hold-out holds out the last of each user by time, as if they were in a test file', async () => {
    const items = Array.from({ length: 10 }, (_, at) => `i${at}`);
    // Each user starts at another item, and the file has all acts in the order of items.
    const acts = items.flatMap((item, at) =>
      [0, 3, 7].flatMap((first, nth): PlantedAct[] => [
        [`u${nth}`, item, 1000 + 10 * ((at - first + 10) % 10)],
        [`u${nth}`, item, 5000, 'view'],
      ]),
    );
    const last = acts.filter(([, , after]) => after === 1080 || after === 1090);
    const is_last = ([user, item]: PlantedAct) => last.some((one) => one[0] === user && one[1] === item);
    const descriptions = { 'items.jsonl': itemsJsonl(items.map((item) => [item, 0])) };
    const all = { ...descriptions, 'interactions.csv': actsCsv(acts) };
    const rest = { ...descriptions, 'interactions.csv': actsCsv(acts.filter((act) => !is_last(act))) };
    const held_out = { 'test.csv': actsCsv(last) };
    const by_share = await evaluated(all, ...HOLD_OUT);
    const by_file = await evaluated(
      { ...rest, ...held_out },
      ...HOLD_OUT.with(1, '--test').with(2, '{}/test.csv'),
    );
    expect(by_share.rows.map(({ name, recall, users }) => ({ name, recall, users }))).toEqual(
      by_file.rows.map(({ name, recall, users }) => ({ name, recall, users })),
    );
    // Two items are new to each user, and both are on a page of ten.
    expect(by_share.row('newest_v0.0.1')).toMatchObject({ users: 3, recall: 1 });
  });

  test('evaluate holdout --hold-out takes acts without times by the seed, and leaves each user at least one', async () => {
    const acts = Array.from({ length: 40 }, (_, user) =>
      ['a', 'b', 'c', 'd', 'e'].slice(user % 5).map((item): PlantedAct => [`u${user}`, item, 0]),
    ).flat();
    const files = { 'interactions.csv': actsCsv(acts) };
    const first = await evaluated(files, ...HOLD_OUT, '--seed', '1');
    expect((await evaluated(files, ...HOLD_OUT, '--seed', '1')).untimed).toBe(first.untimed);
    expect((await evaluated(files, ...HOLD_OUT, '--seed', '2')).untimed).not.toBe(first.untimed);
    // Every fifth user has a single act, so there is nothing to find.
    expect(first.row('popular').users).toBe(32);
    await expect(evaluated({ 'interactions.csv': actsCsv([['u', 'a', 0]]) }, ...HOLD_OUT)).rejects.toThrow(
      'has acted on two items',
    );
  });

  test.each<[string, string[], string]>([
    ['two ways to hold out', ['--test', '{}/test.csv', '--hold-out', '20%'], 'either --test or --hold-out'],
    ...['20', '0%', '100%', '1e1%', ''].map((share): [string, string[], string] => [
      `to hold out '${share}'`,
      ['--hold-out', share],
      `--hold-out must be a percentage above 0% and below 100%, such as 20%, not '${share}'`,
    ]),
  ])('evaluate holdout refuses %s', async (_what, args, message) => {
    await expect(evaluated(FILES, 'holdout', ...args)).rejects.toThrow(message);
  });

  test('evaluate holdout accepts a test file in another folder, and names unknown files', async () => {
    await withFolder({}, async (folder) => {
      writeFiles(folder, { 'held.csv.gz': actsCsv([['w', 'b', 9]]) });
      const others = { 'notes.txt': 'x', 'impressions.csv': '' };
      const files = { 'interactions.csv': actsCsv(little), ...others };
      const { row, stderr } = await evaluated(files, 'holdout', '--test', join(folder, 'held.csv.gz'));
      expect(row('popular').recall).toBe(1);
      expect(stderr).toBe(
        'ignored: notes.txt (not an interchange file)\nignored: impressions.csv (pages are built again, and past impressions are not used)\n',
      );
    });
  });
});
