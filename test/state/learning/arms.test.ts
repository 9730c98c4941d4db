import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { countPage, noCounts } from '../../../src/state/learning/arms.ts';

describe('harm', () => {
  const VIEWERS = 8_000;
  const CONTROL_RATE = 1.15;

  /**
   * Pages until a verdict, or 0, of viewers who act more or less. A twentieth of them is the control.
   * @param rate acts a page of the learnt order
   */
  function pagesUntilVerdict(rate: (page: number) => number, pages: number, seed: number): number {
    const random = seededRandom(seed);
    const counts = noCounts();
    const hashes = Uint32Array.from({ length: VIEWERS }, () => 2 ** 32 * random());
    for (let at = 1; at <= pages; at++) {
      const viewer = Math.floor(VIEWERS * random());
      const arm = viewer < VIEWERS / 20 ? 'control' : 'learned';
      const mean = (0.5 + (viewer % 2)) * (arm === 'control' ? CONTROL_RATE : rate(at));
      // A Poisson number: how many exponential times fit into the mean.
      let acts = -1;
      for (let left = mean; left >= 0; left = left + Math.log(1 - random())) acts++;
      if (countPage(counts, arm, hashes[viewer], acts)) return at;
    }
    return 0;
  }

  test('that begins after 30,000 good pages ends before it costs 2 % of the acts of 60,000, on average', () => {
    const costs = Array.from({ length: 10 }, (_, seed) => {
      const ended = pagesUntilVerdict((page) => (page <= 30_000 ? 1.9 : 0.6), 60_000, seed);
      expect(ended).toBeGreaterThan(30_000);
      return ((ended - 30_000) * (CONTROL_RATE - 0.6)) / (60_000 * CONTROL_RATE);
    });
    expect(costs.reduce((sum, cost) => sum + cost) / costs.length).toBeLessThan(0.02);
    expect(Math.max(...costs)).toBeLessThan(0.03);
  });

  test('is found in at most one of 20 feeds without any', () => {
    const verdicts = Array.from({ length: 20 }, (_, seed) =>
      pagesUntilVerdict(() => CONTROL_RATE, 30_000, seed),
    );
    expect(verdicts.filter((page) => page > 0).length).toBeLessThanOrEqual(1);
  });

  test('of a tenth is found in the long run', () => {
    expect(pagesUntilVerdict(() => 0.9 * CONTROL_RATE, 200_000, 1)).toBeGreaterThan(0);
  });
});
