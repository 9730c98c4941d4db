import type { FeedLearning, ScoringRequest } from '../feeds/compiled-feed.ts';
import { scoreByte, scoreFeature, signalByte, signalFeature } from '../learner/features.ts';
import type { ShownPage } from '../model/shown-page.ts';
import { type FeedType, type Learnt, NONE, type Ordinal } from '../plugin/index.ts';
import type { FeedModel } from '../state/learning/models.ts';
import type { State } from '../state/state.ts';

/** What orders the items of a feed whose scoring function learns: what was learnt, or the default, and why. */
export const LEARNING_MODES = ['learned', 'control', 'fell_back', 'untaught'] as const;
export type LearningMode = (typeof LEARNING_MODES)[number];

/** Whose pages a page is among: those of a saved feed, or of all feeds of a type. */
export interface PageOf {
  feed_type: FeedType;
  /** The number of the saved feed, or 0. */
  feed: number;
}

/** Weights of signals by their keys. */
export type LearntModel = Pick<FeedModel, 'intercept' | 'weightOf'>;

/** The weights of a feed of a page: those of the page, or the common ones if it is of another type, as a fallback may be. */
export function modelFor(
  { learning }: State,
  { feed_type }: FeedLearning,
  page: PageOf,
): FeedModel | undefined {
  return learning.modelOf(feed_type, feed_type === page.feed_type ? page.feed : 0);
}

/** With these weights, nothing is learnt: the score orders items as the default does. */
const [UNTAUGHT_DEFAULT, UNTAUGHT_SIGNAL, UNTAUGHT_INTERCEPT] = [1, 0, 0];

/** Whether a model orders items in another way than the default. */
export function isTaught(model: LearntModel | undefined, { keys }: FeedLearning): boolean {
  if (model === undefined) return false;
  const { intercept } = model;
  const of_default = model.weightOf(keys[0]);
  if (intercept !== UNTAUGHT_INTERCEPT || of_default !== UNTAUGHT_DEFAULT) return true;
  return keys.subarray(1).some((key) => model.weightOf(key) !== UNTAUGHT_SIGNAL);
}

/** What was learnt for the feed of a page. Signals without weight are not computed. */
export function learntFor(
  model: LearntModel | undefined,
  learning: FeedLearning,
  request: ScoringRequest,
): Learnt {
  const { signals, keys, by_default } = learning;
  const signal = remembering(request.signal);
  const score = by_default.bind({ ...request, signal });
  const intercept = model?.intercept ?? UNTAUGHT_INTERCEPT;
  const of_default = model?.weightOf(keys[0]) ?? UNTAUGHT_DEFAULT;
  const weighted = signals.flatMap((name, at) => {
    const weight = model?.weightOf(keys[at + 1]) ?? UNTAUGHT_SIGNAL;
    return weight === 0 ? [] : [{ name, weight, value: signal(name) }];
  });
  return {
    logit(item) {
      let sum = intercept + of_default * scoreFeature(score(item));
      for (const { weight, value } of weighted) sum += weight * quickFeature(value(item));
      return sum;
    },
    terms: (item) => ({
      intercept,
      default: of_default * scoreFeature(score(item)),
      ...Object.fromEntries(
        weighted.map(({ name, weight, value }) => [name, weight * quickFeature(value(item))]),
      ),
    }),
  };
}

/** Remembers the last value of each signal, since the default's score and the terms use the same signals of an item. */
function remembering(signal: ScoringRequest['signal']): ScoringRequest['signal'] {
  const known = new Map<string, (item: Ordinal) => number>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const value = signal(name);
    let [last, last_value]: [Ordinal, number] = [NONE, 0];
    const remembered = (item: Ordinal): number => {
      if (item !== last) {
        last_value = value(item);
        last = item;
      }
      return last_value;
    };
    known.set(name, remembered);
    return remembered;
  };
}

/** Features and bytes by the square root of a signal, in steps that are smaller than those of logged bytes. */
const STEPS = 4_096;
const FEATURES = Float64Array.from({ length: STEPS + 1 }, (_, step) => signalFeature((step / STEPS) ** 2));

const BYTES = Uint8Array.from({ length: STEPS + 1 }, (_, step) => signalByte((step / STEPS) ** 2));

/** `signalFeature`, without a logarithm for each candidate. */
function quickFeature(value: number): number {
  return value === 0 ? 0 : FEATURES[Math.round(STEPS * Math.sqrt(value))];
}

/** Scores of learning functions are chances. Other factors may push a score to 0 or 1, which have no finite logit. */
const CHANCE_MIN = 1e-12;

/** The logarithm of the odds of a chance. */
export function logitOf(score: number): number {
  const chance = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, score));
  return Math.log(chance / (1 - chance));
}

export type LoggedSignals = Pick<ShownPage, 'signals' | 'signal_values'>;

/** The signals of the items of a page, as they are logged. */
export function loggedSignals(
  { signals, keys, by_default }: FeedLearning,
  context: ScoringRequest,
  page: readonly { item: Ordinal }[],
): LoggedSignals {
  const score = by_default.bind(context);
  const values = signals.map((name) => context.signal(name));
  const bytes = new Uint8Array(keys.length * page.length);
  let at = 0;
  for (const { item } of page) {
    bytes[at++] = scoreByte(score(item));
    for (let of = 0; of < values.length; of++)
      bytes[at++] = BYTES[Math.round(STEPS * Math.sqrt(values[of](item)))];
  }
  return { signals: keys, signal_values: bytes };
}
