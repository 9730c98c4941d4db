import { sequentialMargin, sequentialPValue } from '../../sequential.ts';
import { type Estimate, estimateOf, type VariantSums } from './sums.ts';

/** How a treatment differs from the control in one metric. Null: not known, or too little data. */
export interface Comparison {
  /** 0.05: the treatment's value is 5 % higher. Null if the control's value is 0. */
  lift: number | null;
  /** The interval of the lift, valid at all looks together. */
  ci_low: number | null;
  ci_high: number | null;
  /** Valid at every look, and corrected for the number of treatments. */
  p_value_sequential: number | null;
  /** Whether the difference is more than chance explains. */
  decided: boolean;
}

export interface CompareOptions {
  /** Default: 0.95. At most 1 - confidence of all experiments without an effect are ever decided. */
  confidence?: number;
  /** All treatments of the experiment that are compared with its control. Default: 1. */
  treatments_count?: number;
}

export const CONFIDENCE = 0.95;

/** Below, sums of heavy-tailed counts are not close enough to normal for a test that begins to look. */
export const VIEWERS_MIN = 100;
/** The largest standard error of each value, as a share of it. It is that of 25 independent events. */
export const RELATIVE_ERROR_MAX = 0.2;

/** What the viewers of one cohort did: they differ in nothing but their variant. */
export interface ComparedCohort {
  control: VariantSums;
  treatment: VariantSums;
}

/**
 * Compares a treatment with the control by a sequential test of the logarithm of their ratio. On this scale a lift and
 * its variance stay comparable while the totals of each viewer grow.
 */
export function compareVariants(
  control: VariantSums,
  treatment: VariantSums,
  options: CompareOptions = {},
): Comparison {
  return compareCohorts([{ control, treatment }], options);
}

/**
 * Compares a treatment with the control within cohorts. Each weighs as much in both variants: as its viewers tell.
 * @param cohorts those with fewer than two viewers in a variant count only if there is no other
 */
export function compareCohorts(cohorts: readonly ComparedCohort[], options: CompareOptions = {}): Comparison {
  const { confidence = CONFIDENCE, treatments_count = 1 } = options;
  const large = cohorts.filter(
    ({ control, treatment }) => cohorts.length === 1 || Math.min(control.viewers, treatment.viewers) > 1,
  );
  const [control, treatment] = (['control', 'treatment'] as const).map((name) => {
    const parts = large.map((cohort) => ({ sums: cohort[name], weight: weightOf(cohort) }));
    const viewers = large.reduce((sum, cohort) => sum + cohort[name].viewers, 0);
    return { viewers, estimate: estimateOf(parts) };
  });
  const [before, after] = [control.estimate, treatment.estimate];
  if (before === undefined || after === undefined || before.value <= 0) return undecided(null);
  const ratio = after.value / before.value;
  const errors = [
    relativeVariance(control.viewers, before),
    relativeVariance(treatment.viewers, after),
  ] as const;
  if (errors[0] === undefined || errors[1] === undefined) return undecided(ratio - 1);
  const variance = errors[0] + errors[1];
  // Bonferroni: each of the treatments may err in an equal part of the cases.
  const alpha = (1 - confidence) / treatments_count;
  const margin = sequentialMargin(variance, alpha);
  const p_value = sequentialPValue(Math.log(ratio), variance);
  return {
    lift: ratio - 1,
    ci_low: ratio * Math.exp(-margin) - 1,
    ci_high: ratio * Math.exp(margin) - 1,
    p_value_sequential: Math.min(1, p_value * treatments_count),
    decided: p_value <= alpha,
  };
}

export function undecided(lift: number | null): Comparison {
  return { lift, ci_low: null, ci_high: null, p_value_sequential: null, decided: false };
}

/** The inverse of the variance of a difference between viewers who are all equally variable. */
function weightOf({ control, treatment }: ComparedCohort): number {
  const sum = control.viewers + treatment.viewers;
  return sum === 0 ? 0 : (control.viewers * treatment.viewers) / sum;
}

/** The variance of the value's logarithm. Undefined while there is too little data for the test. */
function relativeVariance(viewers: number, { value, variance }: Estimate): number | undefined {
  if (viewers < VIEWERS_MIN || variance === undefined || value <= 0) return undefined;
  const relative = variance / value ** 2;
  return relative > RELATIVE_ERROR_MAX ** 2 ? undefined : relative;
}
