import type { Protocol } from './figures.ts';
import { bootstrapped, type Interval, sumOf } from './intervals.ts';
import type { Score } from './score.ts';

/** What one recommender does better than another, and what the protocol counts. */
const BETTER: Readonly<Record<Protocol, { what: string; unit: string }>> = {
  holdout: { what: 'finds more of what people did next than', unit: 'user' },
  replay: { what: 'finds more of what people did next than', unit: 'user' },
  tune: { what: 'finds more of what people did next than', unit: 'user' },
  trending: { what: 'ranks what gains most higher than', unit: 'step' },
  impressions: { what: 'puts more of what people acted on above the rest than', unit: 'reader' },
  alpha: { what: 'finds more of what wallets did next than', unit: 'wallet' },
};

/**
 * The confidence of the interval of a verdict. It is above 0.95, so that at most one in twenty verdicts is wrong even
 * where the bootstrap is slightly too sure: for few or very unequal users.
 */
const CONFIDENCE = 0.975;

/** With fewer differing units, a difference may be chance even if all differ in the same direction. */
const DIFFERING_MIN = 10;

type Compared = Pick<Score, 'name' | 'baseline' | 'pages' | 'figures' | 'sumsOf' | 'mean'>;

/** How much better one recommender is than another, on the same pages. */
export interface Difference {
  value: number;
  /** Undefined if there are fewer than two units. */
  interval: Interval | undefined;
  /** Units with a difference. */
  differing: number;
}

/**
 * The difference of the first figure of two recommenders, with its interval by bootstrap over units. It is paired: chance
 * that moves both alike does not count.
 * @param confidence of the interval
 */
export function differenceOf(
  better: Compared,
  worse: Compared,
  confidence: number,
  seed: number,
): Difference {
  const [figure] = better.figures;
  const lost = worse.sumsOf(figure);
  const sums = better.sumsOf(figure).map((sum, unit) => sum - lost[unit]);
  const [interval] = bootstrapped([{ sums, confidence }], better.pages, seed);
  return {
    value: sumOf(sums) / sumOf(better.pages),
    interval,
    differing: sums.filter((sum) => sum !== 0).length,
  };
}

/** The least by which one is better, with the confidence of the interval. Not above 0 if that is not known. */
export function leastGain({ interval, differing }: Difference): number {
  return interval === undefined || differing < DIFFERING_MIN ? Number.NEGATIVE_INFINITY : interval[0];
}

/**
 * Says whether the first recommender is better or worse than the best of some others, or that this cannot be known.
 */
export function verdictOf(
  protocol: Protocol,
  first: Compared,
  others: readonly Compared[],
  seed: number,
): string {
  if (others.length === 0) return `There is nothing to compare ${nameOf(first)} with`;
  const [figure] = first.figures;
  const best = others.reduce((one, other) => (other.mean(figure) > one.mean(figure) ? other : one));
  const is_ahead = first.mean(figure) >= best.mean(figure);
  const [better, worse] = is_ahead ? [first, best] : [best, first];
  // The interval is valid for all comparisons from which this one is chosen (Bonferroni).
  const confidence = 1 - (1 - CONFIDENCE) / others.length;
  return sentenceOf(BETTER[protocol], better, worse, differenceOf(better, worse, confidence, seed));
}

function sentenceOf(
  { what, unit }: (typeof BETTER)[Protocol],
  better: Compared,
  worse: Compared,
  { value, interval, differing }: Difference,
): string {
  const [one, other] = [nameOf(better), nameOf(worse)];
  const unknown = `It is not known whether ${one} ${what} ${other}`;
  if (differing === 0) return `${unknown}: their pages are equally good here`;
  if (interval === undefined || differing < DIFFERING_MIN)
    return `${unknown}: their pages differ for only ${differing} ${unit}${differing === 1 ? '' : 's'}`;
  const measured = spoken(value, interval);
  if (interval[0] > 0) return `${one} ${what} ${other}: ${measured}`;
  return `${unknown}: ${measured}, which may be chance`;
}

function nameOf({ name, baseline }: Compared): string {
  return baseline ? `the baseline ${name}` : name;
}

/** `+.021 (+.008 to +.034)`, with as many digits as the width of the interval needs. */
export function spoken(value: number, [low, high]: Interval): string {
  const digits = high > low ? Math.min(6, Math.max(3, 2 - Math.ceil(Math.log10(high - low)))) : 3;
  const [middle, from, to] = [value, low, high].map((each) => signed(each, digits));
  return `${middle} (${from} to ${to})`;
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits).replace(/^0\./, '.');
  return `${value < 0 ? '-' : '+'}${text}`;
}
