import { sequentialMargin, sequentialPValue } from '../../sequential.ts';
import { CONFIDENCE, type Comparison, RELATIVE_ERROR_MAX, undecided, VIEWERS_MIN } from './compare.ts';
import type { VariantSums } from './sums.ts';

/**
 * Standard deviation of the mixture. A difference of credit, as a share of both, is about half the lift: 10 % more acts are
 * a difference of 1 / 21. So this is half of the mixture of lifts.
 */
const MIXTURE_SD = 0.05;

/**
 * Compares the credit of two interleaved variants: the acts on items of each team. The value is the difference as a share
 * of both, from -1 to 1.
 *
 * Each viewer is their own control, so it does not matter how much some of them do. A sequential test of the difference,
 * with its variance over viewers by the delta method.
 * @param control, treatment sums of one team's acts over all viewers
 * @param product_sum the sum over viewers of the product of both teams' acts
 */
export function compareCredit(
  control: VariantSums,
  treatment: VariantSums,
  product_sum: number,
  confidence = CONFIDENCE,
): Comparison {
  const all = control.sum + treatment.sum;
  if (all <= 0) return undecided(null);
  const lift = (treatment.sum - control.sum) / all;
  // Of each viewer: the difference, less the lift of what they did, is (1 - lift) · treatment - (1 + lift) · control.
  const [less, more] = [1 - lift, 1 + lift];
  const squares =
    less ** 2 * treatment.sum_squares + more ** 2 * control.sum_squares - 2 * less * more * product_sum;
  const { viewers } = control;
  // Without a difference, the error of the lift is that of the number of acts, as a share of it.
  const null_error = Math.sqrt(treatment.sum_squares + control.sum_squares - 2 * product_sum) / all;
  // If one team gets all acts, viewers do not vary, and the error without a difference is the larger one.
  const variance = squares > 0 ? ((squares / (viewers - 1)) * viewers) / all ** 2 : null_error ** 2;
  if (viewers < VIEWERS_MIN || null_error > RELATIVE_ERROR_MAX || !(variance > 0)) return undecided(lift);
  const alpha = 1 - confidence;
  const margin = sequentialMargin(variance, alpha, MIXTURE_SD);
  const p_value = sequentialPValue(lift, variance, MIXTURE_SD);
  return {
    lift,
    ci_low: Math.max(-1, lift - margin),
    ci_high: Math.min(1, lift + margin),
    p_value_sequential: p_value,
    decided: p_value <= alpha,
  };
}
