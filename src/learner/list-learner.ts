import { Network } from './network.ts';

/** A list whose outcomes have this sum has half the weight of a list with a large sum. */
const SMALL_LIST = 10;
/** The number of first lists that are only used for means and variances. */
const LISTS_BEFORE_LEARNING = 20;
/** Minimum weight of a new sample in the running means and variances, so that they can follow changes. */
const NEWS_SHARE = 1e-4;
/** Features are clipped to this many standard deviations from the mean. */
const DEVIATIONS_MAX = 4;
/** Maximum size of a correction: a factor of 500 million. Its product with any rate stays finite. */
const CORRECTION_MAX = 20;

export interface List {
  /** `size × features` numbers. */
  features: Float64Array;
  /** The logarithm of each item's expected outcome without learning. */
  expected: Float64Array;
  /** The outcome of each item, ≥ 0. */
  outcomes: Float64Array;
}

/**
 * Learns to correct expected outcomes, list by list.
 *
 * Each step moves softmax(expected + correction) towards the items' shares of the list's outcome (ListNet, Cao et al.
 * 2007). Shares remove the total activity of a list, so the time of day and growth do not matter. Only differences
 * between corrections have a meaning. The learner is independent of what the features are.
 */
export class ListLearner {
  static readonly transient = ['x'];
  private readonly network: Network;
  private readonly mean: Float64Array;
  private readonly variance: Float64Array;
  private readonly x: Float64Array;
  private samples = 0;
  private lists = 0;

  /** @param random uniform in [0, 1), only called in the constructor */
  constructor(
    private readonly features: number,
    list_size_max: number,
    random: () => number,
  ) {
    this.network = new Network(features, random);
    this.mean = new Float64Array(features);
    this.variance = new Float64Array(features).fill(1);
    this.x = new Float64Array(features * list_size_max);
  }

  /** The learnt addend to the logarithm of an expectation, from -20 to 20. 0 before learning. O(units × features). */
  correction(features: Float64Array): number {
    if (!this.network.trained) return 0;
    this.normalise(features, 0, 0);
    const answer = this.network.answer(this.x, 0);
    return Math.max(-CORRECTION_MAX, Math.min(CORRECTION_MAX, answer));
  }

  learn({ features, expected, outcomes }: List): void {
    const size = expected.length;
    let outcome = 0;
    for (let index = 0; index < size; index++) {
      outcome += outcomes[index];
      this.seeUsual(features, index * this.features);
      this.normalise(features, index * this.features, index * this.features);
    }
    if (outcome === 0 || ++this.lists < LISTS_BEFORE_LEARNING) return;
    const shares = this.shares(expected);
    const weight = outcome / (outcome + SMALL_LIST);
    for (let index = 0; index < size; index++) {
      this.network.note(this.x, index * this.features, weight * (shares[index] - outcomes[index] / outcome));
    }
    this.network.step();
  }

  numbers(): number[] {
    return [this.samples, this.lists, ...this.mean, ...this.variance, ...this.network.numbers()];
  }

  restore(numbers: Float64Array): number {
    const { features } = this;
    [this.samples, this.lists] = numbers;
    this.mean.set(numbers.subarray(2, 2 + features));
    this.variance.set(numbers.subarray(2 + features, 2 + 2 * features));
    const from = 2 + 2 * features;
    return from + this.network.restore(numbers.subarray(from));
  }

  /** The current estimate of each item's share of the outcome. */
  private shares(expected: Float64Array): Float64Array {
    const shares = expected.map((value, index) => value + this.network.guess(this.x, index * this.features));
    const highest = shares.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (let index = 0; index < shares.length; index++) {
      shares[index] = Math.exp(shares[index] - highest);
      sum += shares[index];
    }
    return shares.map((share) => share / sum);
  }

  private seeUsual(features: Float64Array, offset: number): void {
    const share = Math.max(1 / ++this.samples, NEWS_SHARE);
    for (let j = 0; j < this.features; j++) {
      const delta = features[offset + j] - this.mean[j];
      this.mean[j] += share * delta;
      this.variance[j] += share * (delta * delta * (1 - share) - this.variance[j]);
    }
  }

  private normalise(features: Float64Array, from: number, to: number): void {
    for (let j = 0; j < this.features; j++) {
      const deviations = (features[from + j] - this.mean[j]) / Math.sqrt(this.variance[j] + 1e-3);
      this.x[to + j] = Math.max(-DEVIATIONS_MAX, Math.min(DEVIATIONS_MAX, deviations));
    }
  }
}
