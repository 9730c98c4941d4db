import { sequentialMargin } from '../../sequential.ts';
import { CONFIDENCE } from './compare.ts';
import { normalBelow, normalQuantile } from './distributions.ts';
import type { Rate } from './sums.ts';

/** What decides how many viewers an experiment needs. */
export interface Plan {
  /** The lift to find: 0.05 for 5 % more, -0.05 for 5 % less. Not 0, above -1. */
  lift: number;
  /** Variance of the metric over viewers, divided by the square of its mean. See `spreadOfShare`. */
  spread: number;
  control_share: number;
  treatment_share: number;
  /** Default: 1. */
  treatments_count?: number;
  /** Default: 0.95. */
  confidence?: number;
  /** The probability that the lift is found. Default: 0.8. */
  power?: number;
}

const POWER = 0.8;

/** The spread of a metric that each viewer has or has not, such as "came back the next day". */
export function spreadOfShare(share: number): number {
  return (1 - share) / share;
}

/** The spread of a metric, from its rate over some viewers. Undefined while the interval of the rate is not known. */
export function spreadOfRate({ value, ci_high }: Rate, viewers: number): number | undefined {
  if (value === null || value === 0 || ci_high === null) return undefined;
  const error = (ci_high - value) / normalQuantile((1 + CONFIDENCE) / 2);
  return viewers * (error / value) ** 2;
}

/**
 * How many viewers the feed needs, those outside the experiment included, until the lift is found with the given
 * probability. This counts the last look alone. Looks before it find some lifts earlier, so the true power is slightly
 * higher.
 */
export function requiredViewers(plan: Plan): number {
  const { spread, control_share, treatment_share, power = POWER } = plan;
  // The search is over the logarithm of the variance, where the power falls steadily.
  let low = -80;
  let high = 20;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (powerWith(Math.exp(middle), plan) >= power) low = middle;
    else high = middle;
  }
  return Math.ceil((spread * (1 / control_share + 1 / treatment_share)) / Math.exp(low));
}

/** The probability that a look at an estimate with this variance decides. */
function powerWith(variance: number, plan: Plan): number {
  const { lift, treatments_count = 1, confidence = CONFIDENCE } = plan;
  const margin = sequentialMargin(variance, (1 - confidence) / treatments_count);
  return normalBelow((Math.abs(Math.log1p(lift)) - margin) / Math.sqrt(variance));
}
