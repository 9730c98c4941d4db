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

/**
 * Pearson's chi-square test of the numbers of viewers.
 * @param counts viewers of each variant
 * @param percents of each variant, in the same order; they need not sum to 100
 */
export function sampleRatio(counts: readonly number[], percents: readonly number[]): SampleRatio {
  const total = sumOf(counts);
  const percents_total = sumOf(percents);
  // A variant that gets no viewers cannot have any.
  if (percents.some((percent, index) => percent === 0 && counts[index] > 0)) return { p_value: 0, ok: false };
  const cells = counts
    .map((count, index) => ({ count, expected: (total * percents[index]) / percents_total }))
    .filter((_, index) => percents[index] > 0);
  if (cells.length < 2 || cells.some(({ expected }) => expected < EXPECTED_MIN)) {
    return { p_value: null, ok: true };
  }
  const statistic = sumOf(cells.map(({ count, expected }) => (count - expected) ** 2 / expected));
  const p_value = chiSquareAbove(statistic, cells.length - 1);
  return { p_value, ok: p_value >= P_VALUE_MIN };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
