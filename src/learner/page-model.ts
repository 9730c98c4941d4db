import { SCORE_FEATURES, SIGNAL_FEATURES } from './features.ts';
import { solve } from './solve.ts';

/** Weights by key of a signal. */
export interface Weights {
  readonly intercept: number;
  weightOf(key: number): number;
}

/** What one page says. Index `at` of `labels` and `offsets` belongs to one item. */
export interface LearningPage {
  /** Keys of the features. */
  keys: Uint32Array;
  /** A byte a feature (features.ts): all those of the first item, then of the second. */
  features: Uint8Array;
  /** 1: the viewer acted on the item. 0: it was ignored. -1: it was hidden or reported. */
  labels: Int8Array;
  /** Logarithms of how likely the slots are acted on, whatever is there. */
  offsets: Float64Array;
  /** How much the page counts, from 0 to 1. */
  weight: number;
}

/** After so many pages, the weights used are halfway between the prior and what was learnt. */
const PRIOR_PAGES = 300;
/** A learnt weight stays so close to its prior, whatever is on the pages. */
const DISTANCE_MAX = 4;
/** The same of the intercept, which orders nothing. */
const INTERCEPT_DISTANCE_MAX = 12;
/** A page with more acts counts as one with so many. */
const ACTS_MAX = 4;
/** Pages between two steps. Of these, the last one tells the curvature for all. */
const PAGES_PER_STEP = 4;
/** A step moves no weight by more than this, divided by the root of the number of pages. */
const STEP_MAX = 3;
/** The curvature at the start, so that first pages do not take the longest steps. */
const CURVATURE_START = 1;
/** The curvature of so many pages is remembered, so that the weights can follow changes. */
const REMEMBERED_PAGES = 2_000;
const REMEMBERED = 1 - PAGES_PER_STEP / REMEMBERED_PAGES;
/** Maximum number of keys. For a page with further ones, those that are not on it are forgotten. */
const KEYS_MAX = 64;
const NO_KEY = -1;

/** Places of the numbers of a model. Keys, weights, slopes and curvature follow: n, n, n and n × n of them. */
const PAGES = 0;
/** The intercept, and the gradient and the curvature of the loss by it. */
const INTERCEPT = 1;
const INTERCEPT_SLOPE = 2;
const INTERCEPT_CURVATURE = 3;
const SIZE = 4;
const HEAD = 5;

/**
 * Learns online which items of a page are acted on.
 *
 * The weights are those of a conditional logit (McFadden, 1974): they explain which items of a page got its acts, so
 * that active viewers and long pages do not matter. Steps are Newton's, with a curvature that fades. The intercept then
 * fits how many items are acted on, as in logistic regression. It starts at a prior, is deterministic, and knows neither
 * items nor time.
 */
export class PageModel {
  /** All of the contents. */
  private all: Float64Array = new Float64Array(HEAD);
  /** Index of the weight, by key. */
  private index_of = new Map<number, number>();
  /** Parts of `all`. */
  private weights: Float64Array = new Float64Array(0);
  /** The gradient since the last step. */
  private slopes: Float64Array = new Float64Array(0);
  /** Row after row, `keys × keys`; only the half up to the diagonal is used. */
  private curvature: Float64Array = new Float64Array(0);
  /** Keys of the last page, and the indexes of their weights. */
  private keys_before = new Uint32Array(0);
  private at = new Int32Array(0);

  /** @param base_key of the score of the default scoring function, whose weight is 1 unless something is learnt */
  constructor(private readonly base_key: number) {}

  /** Pages with several items and an act that were learnt from. */
  get pages(): number {
    return this.all[PAGES];
  }

  /** O(items × keys), and O(items × keys²) for each fourth page. */
  learn(page: LearningPage, prior: Weights = this.prior): void {
    const { keys, labels, weight } = page;
    if (this.index_of.size === 0) this.all[INTERCEPT] = prior.intercept;
    this.place(keys, prior);
    const features = featuresOf(page, this.base_key);
    const { intercept, weightOf } = this.used(prior);
    const weights = new Float64Array(keys.length);
    for (let key = 0; key < keys.length; key++) weights[key] = weightOf(keys[key]);
    const logits = logitsOf(page, features, weights);
    this.addIntercept(page, logits, intercept);
    let acts = 0;
    for (const label of labels) acts += Math.abs(label);
    // One item says nothing about an order.
    if (acts === 0 || labels.length === 1) return;
    this.all[PAGES]++;
    const scale = weight * Math.min(1, ACTS_MAX / acts);
    const shares = sharesOf(logits);
    this.addSlopes(labels, features, shares, scale);
    if (this.pages % PAGES_PER_STEP !== 0) return;
    this.addCurvature(features, shares, PAGES_PER_STEP * scale * acts);
    this.step(prior);
  }

  /** The weights to rank by: the prior, and the more of what was learnt the more pages there were. */
  used(prior: Weights = this.prior): Weights {
    const share = this.pages / (this.pages + PRIOR_PAGES);
    return {
      intercept: within(this.all[INTERCEPT], prior.intercept, share * INTERCEPT_DISTANCE_MAX),
      weightOf: (key) => {
        const start = prior.weightOf(key);
        const index = this.index_of.get(key);
        return index === undefined ? start : within(this.weights[index], start, share * DISTANCE_MAX);
      },
    };
  }

  /** Those that were on pages. */
  get keys(): number[] {
    return [...this.index_of.keys()];
  }

  /**
   * The learnt weight of a key, of which the one that is used has a part: prior + pages / (pages + 300) × (learnt −
   * prior). Undefined if no page had the key.
   */
  learnt(key: number, prior: Weights = this.prior): number | undefined {
    if (!this.index_of.has(key)) return undefined;
    const start = prior.weightOf(key);
    const share = this.pages / (this.pages + PRIOR_PAGES);
    return this.pages === 0 ? start : start + (this.used(prior).weightOf(key) - start) / share;
  }

  /** The complete contents, for `restore`. Learning changes them in place. */
  numbers(): Float64Array {
    return this.all;
  }

  /** Continues from numbers of a model, and changes them. */
  restore(numbers: Float64Array): void {
    const size = numbers[SIZE];
    const part = (from: number, length: number) => numbers.subarray(from, from + length);
    this.all = numbers;
    this.index_of = new Map(Array.from(part(HEAD, size), (key, index) => [key, index]));
    this.weights = part(HEAD + size, size);
    this.slopes = part(HEAD + 2 * size, size);
    this.curvature = part(HEAD + 3 * size, size * size);
    this.keys_before = new Uint32Array(0);
  }

  private readonly prior: Weights = {
    intercept: 0,
    weightOf: (key) => (key === this.base_key ? 1 : 0),
  };

  /** Finds the indexes of keys. New ones start at the prior. */
  private place(keys: Uint32Array, prior: Weights): void {
    if (isEqual(keys, this.keys_before)) return;
    const fresh = keys.filter((key) => !this.index_of.has(key));
    const known = this.keys;
    const is_full = known.length + fresh.length > KEYS_MAX;
    const kept = is_full ? known.filter((key) => keys.includes(key)) : known;
    if (fresh.length > 0) this.resize([...kept, ...fresh], prior);
    this.keys_before = keys.slice();
    this.at = Int32Array.from(keys, (key) => this.index_of.get(key) ?? NO_KEY);
  }

  /** Keeps what was learnt of these keys. */
  private resize(keys: readonly number[], prior: Weights): void {
    const { all, index_of, weights, slopes, curvature } = this;
    const former = keys.map((key) => index_of.get(key) ?? NO_KEY);
    this.restore(
      Float64Array.from([
        ...all.subarray(0, SIZE),
        ...[keys.length, ...keys],
        ...former.map((at, to) => (at === NO_KEY ? prior.weightOf(keys[to]) : weights[at])),
        ...former.map((at) => (at === NO_KEY ? 0 : slopes[at])),
        ...former.flatMap((row) =>
          former.map((column) =>
            row === NO_KEY || column === NO_KEY ? 0 : curvature[row * index_of.size + column],
          ),
        ),
      ]),
    );
  }

  private addIntercept({ labels, weight }: LearningPage, logits: Float64Array, intercept: number): void {
    const { all } = this;
    for (let item = 0; item < labels.length; item++) {
      const chance = 1 / (1 + Math.exp(-intercept - logits[item]));
      all[INTERCEPT_SLOPE] += weight * (chance - labels[item]);
      all[INTERCEPT_CURVATURE] += weight * chance * (1 - chance);
    }
  }

  private addSlopes(labels: Int8Array, features: Float64Array, shares: Float64Array, scale: number): void {
    const { at, slopes } = this;
    let acts = 0;
    for (const label of labels) acts += label;
    for (let item = 0, cell = 0; item < labels.length; item++) {
      const slope = scale * (acts * shares[item] - labels[item]);
      for (let key = 0; key < at.length; key++) slopes[at[key]] += slope * features[cell++];
    }
  }

  /** Adds the covariance of the features, with these shares. */
  private addCurvature(features: Float64Array, shares: Float64Array, scale: number): void {
    const { at, curvature } = this;
    const count = at.length;
    const size = this.weights.length;
    const means = new Float64Array(count);
    for (let item = 0, cell = 0; item < shares.length; item++)
      for (let key = 0; key < count; key++) means[key] += shares[item] * features[cell++];
    const row = new Float64Array(count);
    for (let item = 0, cell = 0; item < shares.length; item++) {
      for (let key = 0; key < count; key++) row[key] = features[cell++] - means[key];
      for (let key = 0; key < count; key++) {
        const part = scale * shares[item] * row[key];
        for (let other = 0; other <= key; other++) {
          const cell = at[key] > at[other] ? at[key] * size + at[other] : at[other] * size + at[key];
          curvature[cell] += part * row[other];
        }
      }
    }
  }

  private step(prior: Weights): void {
    const { all, weights, slopes, curvature } = this;
    const step_max = STEP_MAX / Math.sqrt(this.pages);
    const share = this.pages / (this.pages + PRIOR_PAGES);
    const moves = solve(curvature, CURVATURE_START, slopes);
    for (const [key, index] of this.index_of) {
      const moved = weights[index] - within(moves[index], 0, step_max);
      weights[index] = within(moved, prior.weightOf(key), share * DISTANCE_MAX);
    }
    const move = all[INTERCEPT_SLOPE] / (all[INTERCEPT_CURVATURE] + CURVATURE_START);
    const moved = all[INTERCEPT] - within(move, 0, step_max);
    all[INTERCEPT] = within(moved, prior.intercept, share * INTERCEPT_DISTANCE_MAX);
    all[INTERCEPT_SLOPE] = 0;
    all[INTERCEPT_CURVATURE] *= REMEMBERED;
    slopes.fill(0);
    for (let cell = 0; cell < curvature.length; cell++) curvature[cell] *= REMEMBERED;
  }
}

function featuresOf({ keys, features }: LearningPage, base_key: number): Float64Array {
  const count = keys.length;
  const values = new Float64Array(features.length);
  for (let key = 0; key < count; key++) {
    const table = keys[key] === base_key ? SCORE_FEATURES : SIGNAL_FEATURES;
    for (let cell = key; cell < values.length; cell += count) values[cell] = table[features[cell]];
  }
  return values;
}

/** Without the intercept. */
function logitsOf({ offsets }: LearningPage, features: Float64Array, weights: Float64Array): Float64Array {
  const logits = new Float64Array(offsets.length);
  for (let item = 0, cell = 0; item < logits.length; item++) {
    let logit = offsets[item];
    for (let key = 0; key < weights.length; key++) logit += weights[key] * features[cell++];
    logits[item] = logit;
  }
  return logits;
}

/** The share of each item in the acts of a page that is expected. */
function sharesOf(logits: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) highest = Math.max(highest, logit);
  const shares = new Float64Array(logits.length);
  let sum = 0;
  for (let item = 0; item < logits.length; item++) {
    shares[item] = Math.exp(logits[item] - highest);
    sum += shares[item];
  }
  for (let item = 0; item < logits.length; item++) shares[item] /= sum;
  return shares;
}

function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** The value, or the closest one that is not further from the middle than this. */
function within(value: number, middle: number, distance: number): number {
  return Math.min(middle + distance, Math.max(middle - distance, value));
}
