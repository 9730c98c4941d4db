import { SCORE_FEATURES, SIGNAL_FEATURES } from './features.ts';

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
/** A weight stays so close to its prior, whatever is on the pages. */
const DISTANCE_MAX = 4;
/** A page moves no coordinate of the gradient by more. */
const GRADIENT_MAX = 4;
/** Size of the first step of a weight. */
const STEP = 1;
/** Sum of squared gradients at the start, so that first pages do not take the longest steps. */
const SQUARES_START = 1;
/** Squared gradients of so many pages are remembered, so that the weights can follow changes. */
const REMEMBERED_PAGES = 20_000;
/** Maximum number of keys. Further ones are not learnt. */
const KEYS_MAX = 128;
/** Index of the weight of further keys, which is 0. */
const NOT_LEARNT = KEYS_MAX + 1;

/**
 * Learns online which items of a page are acted on: logistic regression by stochastic gradients with a step size a
 * coordinate (AdaGrad, Duchi et al., JMLR 12, 2011), whose sum of squares fades.
 *
 * It starts at a prior and is deterministic. It knows neither items nor time.
 */
export class PageModel {
  /** Pages with an act that were learnt from. */
  pages = 0;
  /** Indexes of the weights by key. The intercept is at 0. */
  private readonly index_of = new Map<number, number>();
  private readonly weights = new Float64Array(KEYS_MAX + 2);
  private readonly squares = new Float64Array(KEYS_MAX + 2).fill(SQUARES_START);
  /** Scratch: the weights' indexes and the gradient of a page. */
  private at = new Int32Array(0);
  private gradient = new Float64Array(0);

  /** @param base_key of the score of the default scoring function, whose weight is 1 unless something is learnt */
  constructor(private readonly base_key: number) {}

  /** O(items × keys). */
  learn({ keys, features, labels, offsets, weight }: LearningPage, prior?: Weights): void {
    const { weights, base_key } = this;
    const from = prior ?? this.prior;
    if (this.index_of.size === 0) weights[0] = from.intercept;
    if (labels.some((label) => label !== 0)) this.pages++;
    const count = keys.length;
    this.place(keys, from);
    const { at, gradient } = this;
    let of_intercept = 0;
    for (let item = 0, first = 0; item < labels.length; item++, first += count) {
      let logit = weights[0] + offsets[item];
      for (let key = 0; key < count; key++)
        logit += weights[at[key]] * featureOf(keys[key] === base_key, features[first + key]);
      const slope = 1 / (1 + Math.exp(-logit)) - labels[item];
      of_intercept += slope;
      for (let key = 0; key < count; key++)
        gradient[key] += slope * featureOf(keys[key] === base_key, features[first + key]);
    }
    this.step(0, of_intercept * weight, from.intercept);
    for (let key = 0; key < count; key++)
      if (at[key] !== NOT_LEARNT) this.step(at[key], gradient[key] * weight, from.weightOf(keys[key]));
  }

  /** The weights to rank by: the prior, and the more of what was learnt the more pages there were. */
  used(prior?: Weights): Weights {
    const from = prior ?? this.prior;
    const share = this.pages / (this.pages + PRIOR_PAGES);
    const between = (start: number, learnt: number) => start + share * distance(learnt - start);
    return {
      intercept: between(from.intercept, this.weights[0]),
      weightOf: (key) => between(from.weightOf(key), this.learnt(key) ?? from.weightOf(key)),
    };
  }

  /** Those that were on pages. */
  get keys(): number[] {
    return [...this.index_of.keys()];
  }

  /** The learnt weight of a key; undefined if no page had it. */
  learnt(key: number): number | undefined {
    const index = this.index_of.get(key);
    return index === undefined ? undefined : this.weights[index];
  }

  /** The complete contents, for `restore`. */
  numbers(): number[] {
    const keys = [...this.index_of.keys()];
    const all = keys.flatMap((key, at) => [key, this.weights[at + 1], this.squares[at + 1]]);
    return [this.pages, this.weights[0], this.squares[0], keys.length, ...all];
  }

  /** @returns how many of the numbers belong to this model */
  restore(numbers: ArrayLike<number>): number {
    this.index_of.clear();
    this.pages = numbers[0];
    this.weights[0] = numbers[1];
    this.squares[0] = numbers[2];
    const end = 4 + 3 * numbers[3];
    for (let from = 4, index = 1; from < end; from += 3, index++) {
      this.index_of.set(numbers[from], index);
      this.weights[index] = numbers[from + 1];
      this.squares[index] = numbers[from + 2];
    }
    return end;
  }

  private readonly prior: Weights = {
    intercept: 0,
    weightOf: (key) => (key === this.base_key ? 1 : 0),
  };

  /** Finds the indexes of the keys. New ones start at the prior. */
  private place(keys: Uint32Array, prior: Weights): void {
    if (this.at.length < keys.length) {
      this.at = new Int32Array(keys.length);
      this.gradient = new Float64Array(keys.length);
    }
    this.gradient.fill(0);
    for (let key = 0; key < keys.length; key++) {
      let index = this.index_of.get(keys[key]) ?? NOT_LEARNT;
      if (index === NOT_LEARNT && this.index_of.size < KEYS_MAX) {
        index = this.index_of.size + 1;
        this.index_of.set(keys[key], index);
        this.weights[index] = prior.weightOf(keys[key]);
        this.squares[index] = SQUARES_START;
      }
      this.at[key] = index;
    }
  }

  private step(index: number, slope: number, prior: number): void {
    const bounded = Math.min(GRADIENT_MAX, Math.max(-GRADIENT_MAX, slope));
    const squares = this.squares[index] * (1 - 1 / REMEMBERED_PAGES) + bounded * bounded;
    this.squares[index] = squares;
    const moved = this.weights[index] - (STEP * bounded) / Math.sqrt(squares);
    this.weights[index] = prior + distance(moved - prior);
  }
}

function featureOf(is_score: boolean, byte: number): number {
  return is_score ? SCORE_FEATURES[byte] : SIGNAL_FEATURES[byte];
}

function distance(from_prior: number): number {
  return Math.min(DISTANCE_MAX, Math.max(-DISTANCE_MAX, from_prior));
}
