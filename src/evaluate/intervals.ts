import { seededRandom } from '../clock.ts';
import { normalBelow, normalQuantile } from '../experiments/statistics/distributions.ts';

/** The bounds between which the true value lies, with some confidence. */
export type Interval = readonly [low: number, high: number];

/** The mean of a figure over pages, of which some belong to one unit: a user, a wallet or a step. */
export interface Estimated {
  /** The sum of the figure over the pages of each unit. */
  sums: readonly number[];
  /** The probability that the interval contains the true mean, such as 0.95. */
  confidence: number;
}

const RESAMPLES = 2000;

/**
 * Intervals of means by bootstrap over units (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).
 *
 * Units are drawn with replacement, with all of their pages, because pages of one user are alike. All means are computed
 * from the same draws. Percentiles are further out for few units (Hesterberg, The American Statistician 69, 2015), and
 * few means that few units decide the variance: of a thousand users of whom three differ, three count.
 *
 * O(units × estimates × 2000).
 * @param pages the number of pages of each unit
 * @returns an interval for each estimate; undefined if there are fewer than two units
 */
export function bootstrapped(
  estimates: readonly Estimated[],
  pages: readonly number[],
  seed: number,
): (Interval | undefined)[] {
  const units = pages.length;
  if (units < 2) return estimates.map(() => undefined);
  const random = seededRandom(seed);
  const drawn = new Uint16Array(units);
  const columns = estimates.map(({ sums }) => Float64Array.from(sums));
  const weights = Float64Array.from(pages);
  const means = estimates.map(() => new Float64Array(RESAMPLES));
  for (let resample = 0; resample < RESAMPLES; resample++) {
    drawn.fill(0);
    for (let draw = 0; draw < units; draw++) drawn[Math.floor(random() * units)]++;
    const total = weightedSum(weights, drawn);
    for (const [index, column] of columns.entries())
      means[index][resample] = weightedSum(column, drawn) / total;
  }
  return estimates.map(({ sums, confidence }, index) => {
    const sorted = means[index].sort();
    const below = shareBelow(confidence, units, deciding(sums, pages));
    const at = Math.floor(RESAMPLES * below);
    return [sorted[at], sorted[RESAMPLES - 1 - at]];
  });
}

function weightedSum(values: Float64Array, weights: Uint16Array): number {
  let sum = 0;
  for (let unit = 0; unit < values.length; unit++) sum += values[unit] * weights[unit];
  return sum;
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** How many equal units would have the same variance of the mean. Kish, Survey Sampling, 1965. */
function deciding(sums: readonly number[], pages: readonly number[]): number {
  const mean = sumOf(sums) / sumOf(pages);
  const squares = sums.map((sum, unit) => (sum - mean * pages[unit]) ** 2);
  const fourths = sumOf(squares.map((square) => square ** 2));
  return fourths === 0 ? 1 : sumOf(squares) ** 2 / fourths;
}

/** The share of resampled means below the interval. */
function shareBelow(confidence: number, units: number, deciding: number): number {
  const t = studentQuantile((1 + confidence) / 2, Math.max(1, deciding - 1));
  return normalBelow(-Math.sqrt(units / (units - 1)) * t);
}

/** Student's quantile by the expansion of Cornish and Fisher. Abramowitz & Stegun, 26.7.5. */
function studentQuantile(probability: number, degrees_of_freedom: number): number {
  const z = normalQuantile(probability);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / degrees_of_freedom + second / degrees_of_freedom ** 2;
}
