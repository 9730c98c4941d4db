import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { logLoss, orderWorth } from '../../src/evaluate/metrics.ts';
import { run } from '../cli/run.ts';
import { folderWith, withFolder } from '../interchange/support.ts';
import { actsCsv, evaluated, itemsJsonl, type PlantedAct, START } from './support.ts';

type Shown = [user: string, items: string, after: number, page?: string];

/** Items are single letters, in the order of their slots. */
function shownCsv(pages: readonly Shown[]): string {
  let text = 'user_id,item_id,timestamp,page,slot\n';
  for (const [user, items, after, page = ''] of pages)
    for (const [at, item] of [...items].entries())
      text += `${user},${item},${START + after},${page},${at + 1}\n`;
  return text;
}

/** Items of these letters. Each was created 10 seconds after the one before. */
function files(letters: string, acts: readonly PlantedAct[], shown: readonly Shown[]) {
  return {
    'items.jsonl': itemsJsonl([...letters].map((item, at) => [item, 10 * at])),
    'interactions.csv': actsCsv(acts),
    'impressions.csv': shownCsv(shown),
  };
}

const FROM = ['impressions', '--window', '60s', '--from'];
const after = (seconds: number) => String(START + seconds);

describe('feedloom evaluate impressions', () => {
  const acts: PlantedAct[] = [
    ['x', 'a', 201],
    ['y', 'a', 202],
    ['x', 'b', 203],
    ['y', 'c', 204],
    ['u', 'h', 205],
    ['x', 'h', 206],
    ['u', 'b', 1001],
  ];
  const world = files('abcdh', acts, [
    ['v', 'ab', 600],
    ['u', 'abcd', 1000],
  ]);
  // v acted on a.
  world['interactions.csv'] = actsCsv([...acts, ['v', 'a', 610]]);

  test('evaluate impressions orders exactly the items of a page, as of its time', async () => {
    const { protocol, top_k, rows, row } = await evaluated(world, ...FROM, after(900));
    expect({ protocol, top_k }).toEqual({ protocol: 'impressions', top_k: 10 });
    for (const { users } of rows) expect(users).toBeUndefined();
    // d, c, b, a: b is above one of three, at rank 3.
    for (const name of ['newest', 'newest_v0.0.1']) {
      expect(row(name).auc).toBeCloseTo(1 / 3, 9);
      expect(row(name).ndcg).toBeCloseTo(1 / Math.log2(4), 9);
    }
    // 3 for a, 1 for b and c, 0 for d: b is tied at ranks 2 and 3.
    expect(row('most acts').auc).toBeCloseTo(1.5 / 3, 9);
    expect(row('most acts').ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(4)) / 2, 9);
    // x acted on a, b and h, and u on h. Cosines with h: a 1 / √(3 × 2), b 1 / √(1 × 2), none for c and d.
    expect(row('neighbours').auc).toBe(1);
    // One act on two shown items, with one of two before: 11/21 for a, 10/21 for b, 1/2 for c and d.
    expect(row('click rate').auc).toBe(0);
    expect(row('click rate').ndcg).toBeCloseTo(1 / Math.log2(5), 9);
    expect(row('click rate').log_loss).toBeCloseTo(
      -(Math.log(10 / 21) + Math.log(1 - 11 / 21) + 2 * Math.log(0.5)) / 4,
      9,
    );
    expect(row('newest').log_loss).toBeUndefined();
    expect(row('neighbours').versus).toBe(1);
    expect(row('click rate').versus).toBeUndefined();
  });

  test('evaluate impressions measures all for-you functions, then the baselines', async () => {
    const { rows } = await evaluated(world, ...FROM, after(900));
    const names = rows.map(({ name }) => name);
    expect(names[0]).toBe('balanced_feed_v0.0.1');
    expect(names).toContain('user_affinity_all_following_v0.0.1');
    expect(names.slice(-4)).toEqual(['newest', 'most acts', 'neighbours', 'click rate']);
    const one = await evaluated(world, ...FROM, after(900), '--scoring', 'newest_v0.0.1');
    expect(one.rows.map(({ name }) => name)).toEqual(['newest_v0.0.1', ...names.slice(-4)]);
  });

  test('evaluate impressions learns from a page when its window has passed', async () => {
    const late = files(
      'abcd',
      [
        ['v', 'a', 610],
        ['u', 'b', 650],
      ],
      [
        ['v', 'ab', 600],
        ['u', 'abcd', 649],
      ],
    );
    const open = await evaluated(late, ...FROM, after(640));
    expect(open.row('click rate').auc).toBe(0.5);
    const closed = await evaluated(late, 'impressions', '--window', '40s', '--from', after(640));
    expect(closed.row('click rate').auc).toBe(0);
  });

  test('evaluate impressions takes what is far below the last act as not looked at, but for --no-slots', async () => {
    const letters = 'abcdefghijklmno';
    const page = files(letters, [['u', 'b', 1001]], [['u', letters, 1000]]);
    // Newest first, b is above a alone: of 11 others with slots, of 14 without.
    expect((await evaluated(page, ...FROM, after(0))).row('newest').auc).toBeCloseTo(1 / 11, 9);
    const all = await evaluated(page, ...FROM, after(0), '--no-slots');
    expect(all.row('newest').auc).toBeCloseTo(1 / 14, 9);
  });

  test('evaluate impressions orders also what the viewer had acted on or hidden, and leaves out what did not exist', async () => {
    const page = files(
      'abcd',
      [
        ['u', 'c', 500],
        ['u', 'd', 501, 'hide'],
        ['u', 'b', 1001],
      ],
      [['u', 'abcdz', 1000]],
    );
    const { row } = await evaluated(page, ...FROM, after(900), '--scoring', 'newest_v0.0.1');
    expect(row('newest').auc).toBeCloseTo(1 / 3, 9);
    // A hidden item is never on a page of the service, so it is last.
    expect(row('newest_v0.0.1').auc).toBeCloseTo(2 / 3, 9);
  });

  test('evaluate impressions skips pages without an act, and with an act on everything', async () => {
    const shown: Shown[] = [
      ['u', 'ab', 1000],
      ['v', 'ab', 1000],
      ['v', 'ab', 2000],
      ['w', 'cd', 1000, 'one'],
      ['w', 'cd', 1000, 'two'],
    ];
    const acts: PlantedAct[] = [
      ['u', 'b', 1001],
      ['v', 'a', 1060],
      ['v', 'b', 1002],
      // Too late, taken back, and no approval.
      ['v', 'a', 2061],
      ['w', 'c', 1010],
      ['w', 'c', 1020, 'like', 'remove'],
      ['w', 'd', 1011, 'view'],
    ];
    await withFolder(files('abcd', acts, shown), async (folder) => {
      const { code, stdout, stderr } = await run(
        'evaluate',
        ...FROM,
        after(0),
        '--data',
        folder,
        '--no-slots',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.split('\n')[0]).toBe(
        `impressions on ${folder}: 1 pages of 1 users (skipped: 3 without an act, 1 with an act on everything)`,
      );
      expect(stdout).toContain('log loss  mean of -log p(what happened)');
    });
    const folder = folderWith(files('ab', [['u', 'a', 0]], [['u', 'ab', 1000]]));
    const none = await run('evaluate', ...FROM, after(0), '--data', folder);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('impressions.csv has no page from then on with an act on some items');
    rmSync(join(folder, 'impressions.csv'));
    const unshown = await run('evaluate', ...FROM, after(0), '--data', folder);
    expect([unshown.code, unshown.stderr]).toEqual([2, expect.stringContaining('has no impressions.csv')]);
  });

  test('evaluate impressions lets learned_v0.0.1 learn from pages whose window has passed', async () => {
    // All readers act on the oldest item, which no function expects but one that learns.
    const readers = Array.from({ length: 120 }, (_, at) => at);
    const shown = readers.map((at): Shown => [`r${at}`, 'abcdef', 1000 + 100 * at]);
    const acts = readers.map((at): PlantedAct => [`r${at}`, 'a', 1001 + 100 * at, 'bookmark']);
    const asked = ['--scoring', 'newest_v0.0.1,learned_v0.0.1'];
    const late = await evaluated(files('abcdef', acts, shown), ...FROM, after(9000), '--no-slots', ...asked);
    expect(late.row('newest_v0.0.1').auc).toBe(0);
    expect(late.row('learned_v0.0.1').auc).toBe(1);
    expect(late.row('learned_v0.0.1').log_loss).toBeLessThan(1);
    // No window passes before the end, so nothing is learnt.
    const never = await evaluated(
      files('abcdef', acts, shown),
      'impressions',
      '--window',
      '1d',
      ...asked,
      '--from',
      after(9000),
    );
    const { auc } = never.row('learned_v0.0.1');
    const by_default = await evaluated(
      files('abcdef', acts, shown),
      'impressions',
      '--window',
      '1d',
      '--scoring',
      'balanced_feed_v0.0.1',
      '--from',
      after(9000),
    );
    expect(auc).toBe(by_default.row('balanced_feed_v0.0.1').auc);
  });

  test('evaluate impressions compares readers with all their pages, and gives the same for a seed', async () => {
    const readers = [...'abcdefghijklmnopqrst'];
    const shown = readers.map((user, at): Shown => [`r${user}`, 'abc', 1000 + 100 * at]);
    const acts = readers.map(
      (user, at): PlantedAct => [`r${user}`, at % 3 === 0 ? 'a' : 'c', 1001 + 100 * at],
    );
    const ask = [...FROM, after(0), '--no-slots', '--scoring', 'newest_v0.0.1', '--seed', '3'];
    const one = await evaluated(files('abc', acts, shown), ...ask);
    const [low, high] = one.row('newest').auc_ci ?? [1, 0];
    const { auc = 0, versus = 0, versus_ci: [least, most] = [1, 0] } = one.row('newest');
    expect(low).toBeLessThan(auc);
    expect(auc).toBeLessThan(high);
    expect(versus).toBeCloseTo(auc - (one.row('click rate').auc ?? 0), 9);
    expect(least).toBeLessThan(versus);
    expect(versus).toBeLessThan(most);
    expect((await evaluated(files('abc', acts, shown), ...ask)).untimed).toBe(one.untimed);
  });
});

describe('orderWorth', () => {
  test('counts ties half, and cuts the gain at top_k', () => {
    expect(orderWorth([3, 2, 1], [true, false, false], 10)).toEqual({ auc: 1, ndcg: 1 });
    expect(orderWorth([1, 1, 1], [true, false, false], 10).auc).toBe(0.5);
    // Both hits are ideal at ranks 1 and 2; one is at rank 1, the other beyond the cut.
    const { auc, ndcg } = orderWorth([4, 3, 2, 1], [true, false, false, true], 2);
    expect(auc).toBe(0.5);
    expect(ndcg).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 12);
    // A tie across the cut: ranks 1 to 3 have the discounts 1 and 1 / log2(3).
    expect(orderWorth([1, 1, 1], [true, false, false], 2).ndcg).toBeCloseTo((1 + 1 / Math.log2(3)) / 3, 12);
  });

  test('ranks items without a score below all others', () => {
    const worst = Number.NEGATIVE_INFINITY;
    expect(orderWorth([worst, 0, worst], [true, false, false], 10).auc).toBe(0.25);
  });

  test('log loss is finite where a probability of 0 was wrong', () => {
    expect(logLoss([0.5, 0.25], [true, false])).toBeCloseTo(-(Math.log(0.5) + Math.log(0.75)) / 2, 12);
    expect(logLoss([0], [true])).toBeCloseTo(-Math.log(1e-9), 6);
  });
});
