import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { compareVariants } from '../../../src/experiments/statistics/compare.ts';
import { requiredViewers, spreadOfShare } from '../../../src/experiments/statistics/power.ts';
import { estimateOf, rateOf, type VariantSums } from '../../../src/experiments/statistics/sums.ts';
import { sequentialMargin, sequentialPValue } from '../../../src/sequential.ts';
import { Viewers } from './viewers.ts';

/** 100 viewers or more, of whom a number interacted once. */
const once = (viewers: number, sum: number): VariantSums => ({ viewers, sum, sum_squares: sum });

describe('the sequential test', () => {
  /**
   * The worked examples of GrowthBook's own tests (gbstats, `TestSequentialTTest`): sums of two variants, and the
   * interval of the relative lift by the same mixture, whose width is given there as a tuning parameter N.
   */
  test.each([
    {
      control: { viewers: 3000, sum: 1396.87, sum_squares: 52377.9767 },
      treatment: { viewers: 3461, sum: 2422.7, sum_squares: 134698.29 },
      ...{ tuning: 1000, lift: 0.50336, sd: 0.33341, low: -0.55844, high: 1.56516, p_value: 1 },
    },
    {
      control: once(3000, 1396),
      treatment: once(3461, 2422),
      ...{ tuning: 5000, lift: 0.50386, sd: 0.03386, low: 0.40098, high: 0.60675, p_value: 0 },
    },
  ])('has the published interval and p-value (N = $tuning)', (example) => {
    const { control, treatment, tuning, lift, sd, low, high, p_value } = example;
    const before = estimateOf([{ sums: control, weight: 1 }]) ?? { value: 0 };
    const after = estimateOf([{ sums: treatment, weight: 1 }]) ?? { value: 0 };
    const ratio = after.value / before.value;
    const relative = (before.variance ?? 0) / before.value ** 2 + (after.variance ?? 0) / after.value ** 2;
    const variance = relative * ratio ** 2;
    expect(ratio - 1).toBeCloseTo(lift, 4);
    // Not 5 digits for shares: GrowthBook divides by n there, and not by n - 1.
    expect(Math.sqrt(variance)).toBeCloseTo(sd, 4);
    const log = -2 * Math.log(0.05);
    const mixture_sd = Math.sqrt(((log + Math.log(log + 1)) / tuning) * variance * (3000 + 3461));
    const margin = sequentialMargin(variance, 0.05, mixture_sd);
    expect(ratio - 1 - margin).toBeCloseTo(low, 3);
    expect(ratio - 1 + margin).toBeCloseTo(high, 3);
    expect(sequentialPValue(ratio - 1, variance, mixture_sd)).toBeCloseTo(p_value, 5);
  });

  test('has a p-value of alpha exactly where the interval begins to exclude zero', () => {
    for (const variance of [1e-6, 1e-4, 1e-2]) {
      for (const alpha of [0.05, 0.001]) {
        const margin = sequentialMargin(variance, alpha);
        expect(sequentialPValue(margin, variance)).toBeCloseTo(alpha, 10);
      }
    }
  });
});

describe('a comparison', () => {
  test('says that a treatment is better, by how much, and that it is decided', () => {
    const result = compareVariants(once(20_000, 2_000), once(20_000, 2_400));
    expect(result.lift).toBeCloseTo(0.2, 10);
    expect(result.decided).toBe(true);
    expect(result.ci_low).toBeGreaterThan(0);
    expect(result.p_value_sequential).toBeLessThan(0.05);
  });

  test('turned around has the inverse lift and the same p-value', () => {
    const forward = compareVariants(once(20_000, 2_000), once(30_000, 3_300));
    const backward = compareVariants(once(30_000, 3_300), once(20_000, 2_000));
    expect(backward.p_value_sequential).toBeCloseTo(forward.p_value_sequential ?? 0, 12);
    expect(1 + (backward.ci_high ?? 0)).toBeCloseTo(1 / (1 + (forward.ci_low ?? 0)), 10);
  });

  test('of one of several treatments needs as much more evidence as there are treatments', () => {
    const sums = [once(20_000, 2_000), once(20_000, 2_210)] as const;
    const alone = compareVariants(...sums);
    const of_four = compareVariants(...sums, { treatments_count: 4 });
    expect(alone.decided).toBe(true);
    expect(of_four.decided).toBe(false);
    expect(of_four.p_value_sequential).toBeCloseTo(4 * (alone.p_value_sequential ?? 0), 10);
    expect(of_four.ci_low).toBeLessThan(0);
    expect(of_four.lift).toBe(alone.lift);
  });

  test.each<[string, VariantSums, VariantSums, number | null]>([
    ['no viewers at all', once(0, 0), once(0, 0), null],
    ['one viewer each', once(1, 1), once(1, 1), 0],
    ['a control in which nothing happened', once(500, 0), once(500, 40), null],
    ['a treatment in which nothing happened', once(500, 40), once(500, 0), -1],
    ['nothing in both', once(500, 0), once(500, 0), null],
    ['viewers who are all alike', once(500, 500), once(500, 500), 0],
    ['fewer than 100 viewers in one variant', once(99, 50), once(1_000, 900), 0.9 / (50 / 99) - 1],
    ['too few interactions', once(10_000, 10), once(10_000, 40), 3],
    [
      'a ratio without impressions',
      { ...once(500, 0), weight_sum: 0, weight_squares: 0, cross_sum: 0 },
      once(500, 40),
      null,
    ],
  ])('of %s is not decided, and null where nothing is known', (_, control, treatment, lift) => {
    const { lift: found, ...rest } = compareVariants(control, treatment);
    if (lift === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(lift, 10);
    expect(rest).toEqual({ ci_low: null, ci_high: null, p_value_sequential: null, decided: false });
  });
});

describe('simulated experiments, looked at daily', () => {
  const DAYS = 28;
  const NEW_A_DAY = 40;

  /** Whether a look of any day decides, by the sequential test and by a test that is meant for one look. */
  function looksAt(seed: number, of: (viewers: Viewers) => VariantSums) {
    const random = seededRandom(seed);
    const control = new Viewers(random);
    const treatment = new Viewers(random);
    const decided = { sequential: false, one_look: false };
    for (let day = 0; day < DAYS; day++) {
      control.day(NEW_A_DAY);
      treatment.day(NEW_A_DAY);
      const sums = [of(control), of(treatment)] as const;
      if (compareVariants(...sums).decided) decided.sequential = true;
      const [before, after] = sums.map((one) => estimateOf([{ sums: one, weight: 1 }]) ?? { value: 0 });
      const error = Math.sqrt((before.variance ?? 0) + (after.variance ?? 0));
      if (Math.abs(after.value - before.value) > 1.96 * error) decided.one_look = true;
    }
    return decided;
  }

  test.each([
    ['interactions per impression', (viewers: Viewers) => viewers.ratios],
    ['interactions per viewer', (viewers: Viewers) => viewers.means],
  ])('decide on %s without a difference in at most 5 % of 1,000', (_, of) => {
    const runs = Array.from({ length: 1_000 }, (_run, seed) => looksAt(seed + 1, of));
    const shareOf = (test_name: 'sequential' | 'one_look'): number =>
      runs.filter((decided) => decided[test_name]).length / runs.length;
    expect(shareOf('sequential')).toBeLessThanOrEqual(0.05);
    // The simulation does tempt a test that is looked at too often.
    expect(shareOf('one_look')).toBeGreaterThan(0.12);
  });

  test('decide without a difference in at most 5 % when a feed has millions of viewers', () => {
    const random = seededRandom(23);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const share = 0.4;
    // The sum of 100,000 viewers who interact or not is close to normal.
    const new_viewers = 100_000;
    const interacting = (): number =>
      new_viewers * share + Math.sqrt(new_viewers * share * (1 - share)) * normal();
    let decided_count = 0;
    const count = 1_000;
    for (let run = 0; run < count; run++) {
      let [before, after, is_decided] = [0, 0, false];
      for (let day = 1; day <= DAYS; day++) {
        before += interacting();
        after += interacting();
        const viewers = day * new_viewers;
        if (compareVariants(once(viewers, before), once(viewers, after)).decided) is_decided = true;
      }
      if (is_decided) decided_count++;
    }
    expect(decided_count / count).toBeLessThanOrEqual(0.05);
  });

  test('find a planted lift of 5 % with the power that the formula says', () => {
    const share = 0.4;
    const lift = 0.05;
    const plan = { lift, spread: spreadOfShare(share), control_share: 0.5, treatment_share: 0.5 };
    const viewers_a_day = Math.ceil(requiredViewers(plan) / 2 / 14);
    const random = seededRandom(11);
    /** Viewers of a day who interact. The binomial number is close to normal here. */
    const interacting = (probability: number): number => {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const mean = viewers_a_day * probability;
      return Math.round(mean + normal * Math.sqrt(mean * (1 - probability)));
    };
    const runs = Array.from({ length: 2_000 }, () => {
      let [before, after, is_found_early] = [0, 0, false];
      for (let day = 1; day <= 14; day++) {
        before += interacting(share);
        after += interacting(share * (1 + lift));
        const viewers = day * viewers_a_day;
        const { decided } = compareVariants(once(viewers, before), once(viewers, after));
        if (day === 14) return { at_the_end: decided, at_any_look: decided || is_found_early };
        is_found_early ||= decided;
      }
      return { at_the_end: false, at_any_look: is_found_early };
    });
    const at_the_end = runs.filter((run) => run.at_the_end).length / runs.length;
    const at_any_look = runs.filter((run) => run.at_any_look).length / runs.length;
    // 2,000 runs know a share of 0.8 to about 0.01. The treatment's own spread is slightly smaller than planned.
    expect(at_the_end).toBeGreaterThan(0.77);
    expect(at_the_end).toBeLessThan(0.85);
    expect(at_any_look).toBeGreaterThanOrEqual(at_the_end);
    expect(at_any_look).toBeLessThan(0.9);
  });

  test('have a lift within the interval at all looks together in at least 95 %', () => {
    const lift = 0.1;
    let missed = 0;
    const count = 300;
    for (let seed = 1; seed <= count; seed++) {
      const random = seededRandom(seed);
      const [control, treatment] = [new Viewers(random), new Viewers(random, lift)];
      let is_missed = false;
      for (let day = 0; day < DAYS; day++) {
        control.day(NEW_A_DAY);
        treatment.day(NEW_A_DAY);
        const { ci_low, ci_high } = compareVariants(control.ratios, treatment.ratios);
        if (ci_low !== null && ci_high !== null && (ci_low > lift || ci_high < lift)) is_missed = true;
      }
      if (is_missed) missed++;
    }
    expect(missed / count).toBeLessThanOrEqual(0.05);
  });
});

test('the interval of a rate contains the true rate about as often as its confidence says', () => {
  const random = seededRandom(5);
  let contained = 0;
  for (let run = 0; run < 2_000; run++) {
    let sum = 0;
    for (let viewer = 0; viewer < 400; viewer++) if (random() < 0.3) sum++;
    const { ci_low, ci_high } = rateOf(once(400, sum), 0.9);
    if (ci_low !== null && ci_high !== null && ci_low <= 0.3 && ci_high >= 0.3) contained++;
  }
  expect(contained / 2_000).toBeGreaterThan(0.88);
  expect(contained / 2_000).toBeLessThan(0.92);
});
