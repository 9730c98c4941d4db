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

/** The estimate of a metric. Undefined without viewers, and for a ratio without weights. */
export function estimateOf(sums: VariantSums): Estimate | undefined {
  const { viewers, sum, sum_squares, weight_sum, weight_squares, cross_sum } = sums;
  if (weight_sum === undefined || weight_squares === undefined || cross_sum === undefined) {
    if (viewers < 1) return undefined;
    const value = sum / viewers;
    return { value, variance: varianceOf(viewers, sum_squares - value * sum, sum_squares, viewers) };
  }
  if (viewers < 1 || weight_sum <= 0) return undefined;
  const value = sum / weight_sum;
  // The delta method: the ratio varies like the mean of y - value·w, whose mean is 0, over the mean weight.
  const squares = sum_squares - 2 * value * cross_sum + value * value * weight_squares;
  return { value, variance: varianceOf(viewers, squares, sum_squares, weight_sum) };
}

/** @param squares the sum of squared deviations @param divisor by which the sum of the deviations is divided */
function varianceOf(
  viewers: number,
  squares: number,
  sum_squares: number,
  divisor: number,
): number | undefined {
  if (viewers < 2 || squares <= ROUNDING * sum_squares) return undefined;
  return ((squares / (viewers - 1)) * viewers) / divisor ** 2;
}

/**
 * A variant's rate with its confidence interval, for one look. Rates are not negative, so the interval begins at 0 or
 * above. Overlapping intervals do not compare variants: `compareVariants` does.
 * @param confidence such as 0.95
 */
export function rateOf(sums: VariantSums, confidence: number): Rate {
  const { value, variance } = estimateOf(sums) ?? {};
  if (value === undefined) return { value: null, ci_low: null, ci_high: null };
  if (variance === undefined) return { value, ci_low: null, ci_high: null };
  const margin = normalQuantile((1 + confidence) / 2) * Math.sqrt(variance);
  return { value, ci_low: Math.max(0, value - margin), ci_high: value + margin };
}
