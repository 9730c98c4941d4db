import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { sampleRatio } from '../../../src/experiments/statistics/sample-ratio.ts';

const ratioOf = (counts: readonly number[], shares: readonly number[]) => sampleRatio([{ counts, shares }]);

describe('the check of the sample ratio', () => {
  test.each<[string, number[], number[], number, boolean]>([
    // Kohavi, Tang and Xu, "Trustworthy Online Controlled Experiments" (2020), chapter 3: p = 1.8e-6.
    ['Kohavi, Tang and Xu', [821_588, 815_482], [50, 50], 1.8e-6, false],
    // Wikipedia, "Sample ratio mismatch": p = 2.54e-10.
    ['Wikipedia', [600, 400], [50, 50], 2.54e-10, false],
    // 0.8100 is the statistic, and 0.36812 the p-value, in the documents of CausalCraft.
    ['CausalCraft', [4_955, 5_045], [50, 50], 0.36812, true],
    // R: chisq.test(c(5100, 2400, 2500), p = c(50, 25, 25) / 100): X-squared = 6, df = 2.
    ['R, three variants', [5_100, 2_400, 2_500], [50, 25, 25], 0.04978707, true],
  ])('finds the published p-value (%s)', (_, counts, percents, p_value, ok) => {
    const result = ratioOf(counts, percents);
    expect((result.p_value ?? 0) / p_value).toBeCloseTo(1, 1);
    expect(result.ok).toBe(ok);
  });

  test('takes percents that leave most viewers outside', () => {
    expect(ratioOf([100, 110], [1, 1])).toEqual(ratioOf([100, 110], [50, 50]));
  });

  test.each<[string, number[], number[]]>([
    ['no viewers', [0, 0], [50, 50]],
    ['one variant', [100], [50]],
    ['too few viewers of a small variant', [96, 0], [96, 4]],
    ['only one variant with a percent', [300, 0], [50, 0]],
  ])('says nothing about %s', (_, counts, percents) => {
    expect(ratioOf(counts, percents)).toEqual({ p_value: null, ok: true });
  });

  test('fails when a variant without a percent has viewers', () => {
    expect(ratioOf([300, 2], [50, 0])).toEqual({ p_value: 0, ok: false });
  });

  test('adds up the statistics of groups whose shares were in force at different times', () => {
    const [first, second] = [
      { counts: [5_100, 2_400, 2_500], shares: [50, 25, 25] },
      { counts: [60, 0, 40], shares: [1, 0, 1] },
    ];
    const single = { counts: [300, 0, 0], shares: [9, 0, 0] };
    // R: pchisq(6 + 4, df = 3, lower.tail = FALSE).
    expect(sampleRatio([first, single, second]).p_value).toBeCloseTo(0.01856614, 8);
    expect(sampleRatio([single])).toEqual({ p_value: null, ok: true });
  });

  test('fails when one viewer of seven is lost in one variant, and seldom by chance', () => {
    const random = seededRandom(3);
    let [found, false_alarms] = [0, 0];
    for (let run = 0; run < 200; run++) {
      const counts = [0, 0, 0];
      for (let viewer = 0; viewer < 10_000; viewer++) {
        const at = random();
        counts[at < 0.5 ? 0 : at < 0.75 ? 1 : 2]++;
      }
      if (!ratioOf(counts, [50, 25, 25]).ok) false_alarms++;
      counts[1] = Math.round((counts[1] * 6) / 7);
      if (!ratioOf(counts, [50, 25, 25]).ok) found++;
    }
    expect(false_alarms).toBeLessThanOrEqual(2);
    expect(found).toBeGreaterThan(190);
  });
});
