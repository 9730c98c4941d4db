import type { MetricSums } from '../../model/experiment-content.ts';
import { normalQuantile } from './distributions.ts';

/**
 * What one variant's viewers did in one metric: sums over its viewers, never over impressions. Viewers decide
 * independently of each other; two impressions of one viewer do not.
 *
 * With the three weight fields the metric is a ratio, such as interactions (y) per impression (w). Without them it is
 * a mean per viewer.
 */
export type VariantSums = MetricSums;

/** A value and how far chance moves it. */
export interface Estimate {
  value: number;
  /** Of the value. Undefined with fewer than two viewers, and if all viewers are alike. */
  variance?: number;
}

/** A value with an interval that contains the true one with the given confidence. Null: not known. */
export interface Rate {
  value: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** Differences below this share of a sum of squares are rounding errors. */
const ROUNDING = 1e-12;

/** Sums over viewers who are alike in all but chance, and how much they weigh among others. */
export interface Cohort {
  sums: VariantSums;
  weight: number;
}

/**
 * The estimate of a metric over cohorts of viewers. Undefined without viewers, and for a ratio without denominators.
 *
 * A ratio varies like the mean of z = y - value · w over the mean denominator (the delta method), and a mean like that of
 * y. Chance moves viewers within their cohort alone.
 */
export function estimateOf(cohorts: readonly Cohort[]): Estimate | undefined {
  // A weight without others changes nothing, but for errors of rounding.
  const scaled = cohorts.flatMap(({ sums, weight }) =>
    sums.viewers > 0 ? [{ sums, scale: cohorts.length === 1 ? 1 : weight / sums.viewers }] : [],
  );
  const total = (of: (sums: VariantSums) => number): number =>
    scaled.reduce((sum, { sums, scale }) => sum + scale * of(sums), 0);
  const divisor = total(({ viewers, weight_sum = viewers }) => weight_sum);
  if (divisor <= 0) return undefined;
  const value = total(({ sum }) => sum) / divisor;
  let variance = 0;
  for (const { sums, scale } of scaled) {
    const squares = squaredDeviations(sums, value);
    if (sums.viewers < 2 || squares <= ROUNDING * sums.sum_squares) continue;
    variance += ((squares / (sums.viewers - 1)) * sums.viewers * scale ** 2) / divisor ** 2;
  }
  return { value, variance: variance > 0 ? variance : undefined };
}

/** The squared deviations of viewers from the mean of their cohort. @param value of all cohorts */
function squaredDeviations(sums: VariantSums, value: number): number {
  const { viewers, sum, sum_squares, weight_sum, weight_squares, cross_sum } = sums;
  if (weight_sum === undefined || weight_squares === undefined || cross_sum === undefined)
    return sum_squares - sum ** 2 / viewers;
  const squares = sum_squares - 2 * value * cross_sum + value * value * weight_squares;
  return squares - (sum - value * weight_sum) ** 2 / viewers;
}

/**
 * A variant's rate with its confidence interval, for one look. Rates are not negative, so the interval begins at 0 or
 * above. Overlapping intervals do not compare variants: `compareVariants` does.
 * @param confidence such as 0.95
 */
export function rateOf(sums: VariantSums, confidence: number): Rate {
  const { value, variance } = estimateOf([{ sums, weight: 1 }]) ?? {};
  if (value === undefined) return { value: null, ci_low: null, ci_high: null };
  if (variance === undefined) return { value, ci_low: null, ci_high: null };
  const margin = normalQuantile((1 + confidence) / 2) * Math.sqrt(variance);
  return { value, ci_low: Math.max(0, value - margin), ci_high: value + margin };
}
