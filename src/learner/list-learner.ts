import { Network } from './network.ts';

/** A list whose outcomes add up to this has half the weight of a busy one. */
const SMALL_LIST = 10;
/** Lists that only tell what features are usual. */
const LISTS_BEFORE_LEARNING = 20;
/** Least share of a new sample in the running means and variances: what is usual may change. */
const NEWS_SHARE = 1e-4;
/** Features further from usual than this many standard deviations are taken to be as far. */
const DEVIATIONS_MAX = 4;
/** No number that was learnt is larger; products of a few such are still numbers. */
const NUMBER_MAX = 1e12;
/** No correction is larger, whatever was learnt: a factor of 500 million, whose product with any rate is a number. */
const CORRECTION_MAX = 20;

/** Things of which one list was made, with what was known of each when it was. */
export interface List {
  /** `size × features` numbers. */
  features: Float64Array;
  /** Log of what was expected of each without having learnt. */
  expected: Float64Array;
  /** What became of each, ≥ 0. */
  outcomes: Float64Array;
}

/**
 * Learns to correct an expectation from what then happened, list by list: a step towards
 * softmax(expected + correction) = shares of the list's outcome (ListNet, Cao et al. 2007). The busyness that
 * all of a list share is thereby left out of account, so night and day, or a network that grows, do not
 * matter; only differences between corrections mean anything. Knows nothing of what the features are.
 */
export class ListLearner {
  static readonly transient = ['x'];
  private readonly network: Network;
  private readonly mean: Float64Array;
  private readonly variance: Float64Array;
  private readonly x: Float64Array;
  private samples = 0;
  private lists = 0;

  /** @param random uniform in [0, 1), used at once */
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

  /**
   * What experience adds to the log of an expectation, from -20 to 20; 0 until there is any.
   * O(units × features).
   */
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

  /** Everything that it knows, for `restore`. */
  numbers(): number[] {
    return [this.samples, this.lists, ...this.mean, ...this.variance, ...this.network.numbers()];
  }

  /** Whether `restore` could take over numbers of unknown origin: as many as `numbers` gives, all of a kind with those. */
  accepts(numbers: Float64Array): boolean {
    const network_from = 2 + 2 * this.features;
    const variance = numbers.subarray(2 + this.features, network_from);
    return (
      numbers.length === this.numbers().length &&
      numbers.every((number) => Math.abs(number) <= NUMBER_MAX) &&
      [numbers[0], numbers[1]].every((count) => Number.isInteger(count) && count >= 0) &&
      variance.every((value) => value >= 0) &&
      this.network.accepts(numbers.subarray(network_from))
    );
  }

  /** Takes over what `numbers` gave; returns how many of them that took. */
  restore(numbers: Float64Array): number {
    const { features } = this;
    [this.samples, this.lists] = numbers;
    this.mean.set(numbers.subarray(2, 2 + features));
    this.variance.set(numbers.subarray(2 + features, 2 + 2 * features));
    const from = 2 + 2 * features;
    return from + this.network.restore(numbers.subarray(from));
  }

  /** The share of the outcome that each is given now. */
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
