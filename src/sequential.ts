/**
 * The mixture sequential probability ratio test for the mean of a normal estimate: is the true value 0?
 *
 * It weighs all values that the truth may have by a normal distribution around 0. Its answers stay valid however often
 * they are looked at, and whenever somebody stops (see README.md for sources).
 */

/**
 * Standard deviation of the mixture, as a difference of logarithms. Lifts of about 10 % are found with the fewest viewers
 * compared to a single look, and those of 1 % and 50 % still with less than three times as many. It must not depend on
 * the data.
 */
const MIXTURE_SD = 0.1;

/** How strongly the data speaks against 0. At most `p` of all experiments without an effect ever have p or less. */
export function sequentialPValue(estimate: number, variance: number, mixture_sd = MIXTURE_SD): number {
  const mixture = mixture_sd ** 2;
  const total = variance + mixture;
  const log_ratio = (Math.log(variance / total) + (mixture * estimate ** 2) / (variance * total)) / 2;
  return Math.min(1, Math.exp(-log_ratio));
}

/**
 * Half the width of the confidence sequence: the interval around the estimate contains the truth at all looks together
 * with probability 1 - alpha. It excludes 0 exactly when the p-value is below alpha.
 */
export function sequentialMargin(variance: number, alpha: number, mixture_sd = MIXTURE_SD): number {
  const mixture = mixture_sd ** 2;
  const total = variance + mixture;
  return Math.sqrt(((variance * total) / mixture) * (Math.log(total / variance) - 2 * Math.log(alpha)));
}
