import { sequentialPValue } from '../../sequential.ts';

/** Groups of viewers, by hash. A viewer's pages are alike, so only the differences between groups say how sure a mean is. */
const GROUPS = 64;
/** Numbers of an arm: for each group pages, then acts. */
const ARM_NUMBERS = 2 * GROUPS;
/** From so many pages in each arm on, fewer acts a page are harm if chance explains them in this share of cases. */
const VERDICTS = [
  { pages: 200, p_value: 0.001 },
  { pages: 2_000, p_value: 0.05 },
] as const;
/** Counted pages between two verdicts. */
const PAGES_PER_VERDICT = 10;

export const ARMS = ['learned', 'control'] as const;
export type Arm = (typeof ARMS)[number];

/** What became of the closed pages of a feed in an arm. */
export interface ArmTotals {
  pages: number;
  /** Items on them that their viewers acted on within the window. */
  acts: number;
}

/** Counts of both arms, to store. */
export function noCounts(): Float64Array {
  return new Float64Array(ARMS.length * ARM_NUMBERS);
}

/** Counts a page. @returns whether it is time for a verdict */
export function countPage(counts: Float64Array, arm: Arm, viewer: number, acts: number): boolean {
  const at = ARMS.indexOf(arm) * ARM_NUMBERS + ((viewer >>> 16) & (GROUPS - 1));
  counts[at]++;
  counts[at + GROUPS] += acts;
  return (totalsOf(counts, 'learned').pages + totalsOf(counts, 'control').pages) % PAGES_PER_VERDICT === 0;
}

export function totalsOf(counts: Float64Array, arm: Arm): ArmTotals {
  const start = ARMS.indexOf(arm) * ARM_NUMBERS;
  let [pages, acts] = [0, 0];
  for (let at = start; at < start + GROUPS; at++) {
    pages += counts[at];
    acts += counts[at + GROUPS];
  }
  return { pages, acts };
}

/**
 * Whether pages that the model ordered get fewer acts than those of the control, beyond chance: a sequential test, so
 * that it may be asked after every page.
 */
export function isHarmful(counts: Float64Array): boolean {
  const [learned, control] = ARMS.map((arm) => logOfMean(counts, arm));
  const pages = Math.min(learned.pages, control.pages);
  const difference = learned.value - control.value;
  if (pages < VERDICTS[0].pages || difference >= 0) return false;
  const p_value = sequentialPValue(difference, learned.variance + control.variance);
  return VERDICTS.some((verdict) => pages >= verdict.pages && p_value <= verdict.p_value);
}

/** The logarithm of acts a page, with half an act more, so that it is finite. */
function logOfMean(counts: Float64Array, arm: Arm): { pages: number; value: number; variance: number } {
  const { pages, acts } = totalsOf(counts, arm);
  const mean = acts / pages;
  const start = ARMS.indexOf(arm) * ARM_NUMBERS;
  let squares = 0;
  for (let at = start; at < start + GROUPS; at++) squares += (counts[at + GROUPS] - mean * counts[at]) ** 2;
  // Never surer than if all acts were independent.
  const variance = Math.max(acts, (squares * GROUPS) / (GROUPS - 1));
  return { pages, value: Math.log((acts + 0.5) / pages), variance: (variance + 0.5) / (acts + 0.5) ** 2 };
}
