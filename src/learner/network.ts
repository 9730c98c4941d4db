const UNITS = 16;
/** Slope of a unit below zero. */
const LEAK = 0.05;
/** Adam (Kingma and Ba 2015): the learning rate, the steps of its warm-up, and its constants. */
const RATE = 0.001;
const WARM_UP = 50;
const FIRST_MOMENT = 0.9;
const SECOND_MOMENT = 0.999;
const EPSILON = 1e-7;
/** The averaging window of the weights, in steps. Answers use the average, which is steadier than single steps. */
const AVERAGED_STEPS = 2000;

/**
 * A regression on a few features: a linear part plus one hidden layer. It returns 0 before it has learnt.
 *
 * It learns by Adam, one step at a time, and answers with a running mean of its weights (Polyak and Juditsky 1992).
 * Deterministic: equal steps give equal numbers.
 */
export class Network {
  static readonly transient = ['hidden'];
  private readonly linear: number;
  private readonly outputs: number;
  private readonly weights: Float64Array;
  private readonly mean: Float64Array;
  private readonly gradient: Float64Array;
  private readonly first: Float64Array;
  private readonly second: Float64Array;
  private readonly hidden = new Float64Array(UNITS);
  private steps = 0;

  /** @param random uniform in [0, 1), draws the initial weights of the hidden layer, which must differ */
  constructor(
    private readonly features: number,
    random: () => number,
  ) {
    const row = features + 1;
    this.outputs = UNITS * row;
    this.linear = this.outputs + UNITS;
    const size = this.linear + features;
    this.weights = new Float64Array(size);
    this.gradient = new Float64Array(size);
    this.first = new Float64Array(size);
    this.second = new Float64Array(size);
    for (let at = 0; at < this.outputs; at++) {
      const is_bias = at % row === features;
      this.weights[at] = is_bias ? 0.1 : nearlyNormal(random) * Math.sqrt(3 / features);
    }
    this.mean = this.weights.slice();
  }

  get trained(): boolean {
    return this.steps > 0;
  }

  /** The output for the features at `offset`. */
  answer(x: Float64Array, offset: number): number {
    return this.forward(this.mean, x, offset);
  }

  /** The output with the weights of the last step, which learning corrects. */
  guess(x: Float64Array, offset: number): number {
    return this.forward(this.weights, x, offset);
  }

  /** Adds a gradient: the loss at the features at `offset` changes with the output by `slope`. */
  note(x: Float64Array, offset: number, slope: number): void {
    const { weights, gradient, hidden, features } = this;
    this.forward(weights, x, offset);
    let at = 0;
    for (let unit = 0; unit < UNITS; unit++) {
      gradient[this.outputs + unit] += slope * hidden[unit];
      const inner = slope * weights[this.outputs + unit] * (hidden[unit] > 0 ? 1 : LEAK);
      for (let j = 0; j < features; j++) gradient[at + j] += inner * x[offset + j];
      gradient[at + features] += inner;
      at += features + 1;
    }
    for (let j = 0; j < features; j++) gradient[this.linear + j] += slope * x[offset + j];
  }

  step(): void {
    const { weights, gradient, first, second, mean } = this;
    const step = ++this.steps;
    const rate = RATE * Math.min(1, step / WARM_UP);
    const unbias_first = 1 - FIRST_MOMENT ** step;
    const unbias_second = 1 - SECOND_MOMENT ** step;
    const share = Math.max(1 / AVERAGED_STEPS, 4 / (step + 4));
    for (let at = 0; at < weights.length; at++) {
      const slope = gradient[at];
      gradient[at] = 0;
      first[at] += (1 - FIRST_MOMENT) * (slope - first[at]);
      second[at] += (1 - SECOND_MOMENT) * (slope * slope - second[at]);
      weights[at] -= (rate * (first[at] / unbias_first)) / (Math.sqrt(second[at] / unbias_second) + EPSILON);
      mean[at] += share * (weights[at] - mean[at]);
    }
  }

  numbers(): number[] {
    return [this.steps, ...this.weights, ...this.mean, ...this.first, ...this.second];
  }

  /** Restores the state of a network of the same size. Returns how many numbers were used. */
  restore(numbers: Float64Array): number {
    const { weights, mean, first, second } = this;
    this.steps = numbers[0];
    let from = 1;
    for (const part of [weights, mean, first, second]) {
      part.set(numbers.subarray(from, from + part.length));
      from += part.length;
    }
    this.gradient.fill(0);
    return from;
  }

  private forward(weights: Float64Array, x: Float64Array, offset: number): number {
    const { features, hidden } = this;
    let out = 0;
    let at = 0;
    for (let unit = 0; unit < UNITS; unit++) {
      let sum = weights[at + features];
      for (let j = 0; j < features; j++) sum += weights[at + j] * x[offset + j];
      const active = sum > 0 ? sum : LEAK * sum;
      hidden[unit] = active;
      out += weights[this.outputs + unit] * active;
      at += features + 1;
    }
    for (let j = 0; j < features; j++) out += weights[this.linear + j] * x[offset + j];
    return out;
  }
}

/** A sum of six uniform draws: mean 0, variance 0.5. */
function nearlyNormal(random: () => number): number {
  let sum = -3;
  for (let draw = 0; draw < 6; draw++) sum += random();
  return sum;
}
