import { sequentialPValue } from '../../sequential.ts';

/** Groups of viewers, by hash. A viewer's pages are alike, so only the differences between groups say how sure a mean is. */
const GROUPS = 64;
/** Numbers of an arm: for each group pages, then acts. */
const ARM_NUMBERS = 2 * GROUPS;
/** From so many pages in each arm on, fewer acts a page since the feed began are harm at 95 %. */
const PAGES_MIN = 2_000;
const ALPHA = 0.05;
/**
 * Harm that begins late must not be outweighed by what went well before. So there are periods, each of which ends when
 * the learnt order has as many acts a page as the control, but not before so many pages of each.
 */
const PERIOD_PAGES_MIN = 30;
/** The nth period may be wrong in this share of cases, over n to the power of 1.5: all of them together in 5 %. */
const PERIOD_ALPHA = ALPHA / 2.612;
const PERIOD_POWER = 1.5;
/** Periods look for great harm. */
const PERIOD_MIXTURE_SD = 0.3;
/** Counted pages between two verdicts. */
const PAGES_PER_VERDICT = 10;

export const ARMS = ['learned', 'control'] as const;
export type Arm = (typeof ARMS)[number];

/** What became of the closed pages of a feed in an arm. */
export interface ArmTotals {
  pages: number;
  /** Items on them that their viewers acted on within the window. */
  acts: number;
  /** The 95 % interval of acts a page. Undefined without acts or pages. */
  interval: readonly [low: number, high: number] | undefined;
}

/** Standard deviations of a 95 % interval. */
const SURE = 1.96;

/** Pages and acts of both arms by group: since the feed began, and of the period. */
export interface ArmCounts {
  whole: Float64Array;
  period: Float64Array;
  /** The number of the period, from 1 on. */
  periods: number;
}

export function noCounts(): ArmCounts {
  const none = () => new Float64Array(ARMS.length * ARM_NUMBERS);
  return { whole: none(), period: none(), periods: 1 };
}

/**
 * Counts a page, or a part of one.
 * @param is_first whether it has the first slot. Further parts, reported later, are not counted as pages: otherwise, an
 * order that viewers read further would seem worse
 * @returns whether pages that the model ordered get fewer acts than those of the control, beyond chance
 */
export function countPage(
  counts: ArmCounts,
  arm: Arm,
  viewer: number,
  acts: number,
  is_first = true,
): boolean {
  const at = ARMS.indexOf(arm) * ARM_NUMBERS + ((viewer >>> 16) & (GROUPS - 1));
  for (const each of [counts.whole, counts.period]) {
    if (is_first) each[at]++;
    each[at + GROUPS] += acts;
  }
  const pages = sumsOf(counts.whole, 'learned').pages + sumsOf(counts.whole, 'control').pages;
  return pages % PAGES_PER_VERDICT === 0 && isHarmful(counts);
}

export function totalsOf(counts: Float64Array, arm: Arm): ArmTotals {
  const sums = sumsOf(counts, arm);
  if (sums.acts === 0 || sums.pages === 0) return { ...sums, interval: undefined };
  const { value, variance } = logOfMean(counts, arm);
  const [mean, factor] = [Math.exp(value), Math.exp(SURE * Math.sqrt(variance))];
  return { ...sums, interval: [mean / factor, mean * factor] };
}

function sumsOf(counts: Float64Array, arm: Arm): Pick<ArmTotals, 'pages' | 'acts'> {
  const start = ARMS.indexOf(arm) * ARM_NUMBERS;
  let [pages, acts] = [0, 0];
  for (let at = start; at < start + GROUPS; at++) {
    pages += counts[at];
    acts += counts[at + GROUPS];
  }
  return { pages, acts };
}

/** Sequential tests, so that they may be asked after every page. Ends a period without harm. */
function isHarmful(counts: ArmCounts): boolean {
  const whole = compared(counts.whole);
  if (whole.pages >= PAGES_MIN && isLower(whole, ALPHA)) return true;
  const period = compared(counts.period);
  if (period.pages < PERIOD_PAGES_MIN) return false;
  if (isLower(period, PERIOD_ALPHA / counts.periods ** PERIOD_POWER, PERIOD_MIXTURE_SD)) return true;
  if (period.difference >= 0) {
    counts.period.fill(0);
    counts.periods++;
  }
  return false;
}

function isLower({ difference, variance }: Comparison, alpha: number, mixture_sd?: number): boolean {
  return difference < 0 && sequentialPValue(difference, variance, mixture_sd) <= alpha;
}

interface Comparison {
  /** Of the arm with fewer. */
  pages: number;
  /** Of the logarithms of acts a page: of the learnt order, less that of the control. */
  difference: number;
  variance: number;
}

function compared(counts: Float64Array): Comparison {
  const [learned, control] = ARMS.map((arm) => logOfMean(counts, arm));
  return {
    pages: Math.min(learned.pages, control.pages),
    difference: learned.value - control.value,
    variance: learned.variance + control.variance,
  };
}

/** The logarithm of acts a page, with half an act more, so that it is finite. */
function logOfMean(counts: Float64Array, arm: Arm): { pages: number; value: number; variance: number } {
  const { pages, acts } = sumsOf(counts, arm);
  const mean = acts / pages;
  const start = ARMS.indexOf(arm) * ARM_NUMBERS;
  let squares = 0;
  for (let at = start; at < start + GROUPS; at++) squares += (counts[at + GROUPS] - mean * counts[at]) ** 2;
  // Never surer than if all acts were independent.
  const variance = Math.max(acts, (squares * GROUPS) / (GROUPS - 1));
  return { pages, value: Math.log((acts + 0.5) / pages), variance: (variance + 0.5) / (acts + 0.5) ** 2 };
}
