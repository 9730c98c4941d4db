import { chiSquareAbove } from './distributions.ts';

/** Whether the variants have as many viewers as their percents say. */
export interface SampleRatio {
  /** The probability of counts that are at least as uneven by chance. Null: too few viewers to tell. */
  p_value: number | null;
  /** False: something sorts viewers into variants or loses them, so the variants must not be compared. */
  ok: boolean;
}

/** Small, because the check is made at every look and its alarm stops an experiment. */
const P_VALUE_MIN = 0.001;
/** Below this many expected viewers of a variant, the chi-square distribution is not close enough. */
const EXPECTED_MIN = 5;

/** Viewers of each variant, and the shares of them that the variants should have, which need not sum to anything. */
export interface CohortCounts {
  counts: readonly number[];
  shares: readonly number[];
}

/**
 * Pearson's chi-square test of the numbers of viewers.
 * @param cohorts groups of viewers whose shares were in force for all of their time; their statistics add up
 */
export function sampleRatio(cohorts: readonly CohortCounts[]): SampleRatio {
  let [statistic, degrees] = [0, 0];
  for (const { counts, shares } of cohorts) {
    const [total, shares_total] = [sumOf(counts), sumOf(shares)];
    // A variant that gets no viewers cannot have any.
    if (shares.some((share, index) => share === 0 && counts[index] > 0)) return { p_value: 0, ok: false };
    const cells = counts
      .map((count, index) => ({ count, expected: (total * shares[index]) / shares_total }))
      .filter((_, index) => shares[index] > 0);
    if (cells.length < 2 || cells.some(({ expected }) => expected < EXPECTED_MIN)) continue;
    statistic += sumOf(cells.map(({ count, expected }) => (count - expected) ** 2 / expected));
    degrees += cells.length - 1;
  }
  if (degrees === 0) return { p_value: null, ok: true };
  const p_value = chiSquareAbove(statistic, degrees);
  return { p_value, ok: p_value >= P_VALUE_MIN };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
