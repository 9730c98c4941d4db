import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { type List, ListLearner } from '../../src/learner/list-learner.ts';

const FEATURES = 2;
const SIZE = 12;

/** The logarithm of the outcome's increase per unit of the first feature. The second feature has no effect. */
const SLOPE = 0.8;

interface Factors {
  /** The outcome of each list. */
  busyness?: (list: number) => number;
  /** Added to the expectation of each item of a list. */
  level?: (list: number) => number;
}

/** Lists in which the first feature determines the outcomes, with its own mean and scale. */
function lists(count: number, { busyness = () => 1000, level = () => 0 }: Factors = {}): List[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, (_, list) => {
    const steps = Array.from({ length: SIZE }, () => 2 * random() - 1);
    const features = Float64Array.from(steps.flatMap((step) => [100 + 5 * step, 2 * random() - 1]));
    const expected = Float64Array.from(steps, () => random() + level(list));
    const outcomes = expected.map(
      (value, index) => busyness(list) * Math.exp(value - level(list) + SLOPE * steps[index]),
    );
    return { features, expected, outcomes };
  });
}

function taught(all: readonly List[]): ListLearner {
  const learner = new ListLearner(FEATURES, SIZE, seededRandom(1));
  for (const list of all) learner.learn(list);
  return learner;
}

/** The correction per unit of each feature. */
function slopes(learner: ListLearner): [first: number, second: number] {
  const at = (first: number, second: number) =>
    learner.correction(Float64Array.from([100 + 5 * first, second]));
  return [(at(1, 0) - at(-1, 0)) / 2, (at(0, 1) - at(0, -1)) / 2];
}

describe('ListLearner', () => {
  test('learns which feature determines the shares of the outcome, and how much', () => {
    const [first, second] = slopes(taught(lists(4000)));
    expect(first).toBeCloseTo(SLOPE, 1);
    expect(Math.abs(second)).toBeLessThan(0.05);
  });

  test('is independent of the total outcome and total expectation of a list', () => {
    const plain = taught(lists(500, { busyness: () => 1e6 }));
    const night_and_day = taught(
      lists(500, { busyness: (list) => 10 ** (6 + (list % 4)), level: (list) => (list % 7) - 3 }),
    );
    const [first] = slopes(plain);
    expect(first).toBeGreaterThan(0.2);
    expect(slopes(night_and_day)[0]).toBeCloseTo(first, 3);
  });

  test('learns little from lists with small outcomes', () => {
    const busy = lists(600);
    /** The opposite effect, with one engagement per list. */
    const quiet = lists(600).map(({ features, expected, outcomes }) => {
      const upside_down = expected.map((value, index) => Math.exp(2 * value) / outcomes[index]);
      const sum = upside_down.reduce((one, other) => one + other);
      return { features, expected, outcomes: upside_down.map((value) => value / sum) };
    });
    expect(slopes(taught(quiet))[0]).toBeLessThan(0);
    const [both] = slopes(taught(busy.flatMap((list, index) => [list, quiet[index]])));
    expect(both).toBeGreaterThan(slopes(taught(busy))[0] / 2);
  });

  test('corrects nothing before it has seen 20 lists with an outcome', () => {
    const one = Float64Array.of(105, 0);
    const nothing = lists(200, { busyness: () => 0 });
    const learner = taught(nothing);
    expect(learner.correction(one)).toBe(0);
    const [last, ...others] = lists(20);
    for (const list of others) learner.learn(list);
    expect(learner.correction(one)).toBe(0);
    learner.learn(last);
    expect(learner.correction(one)).not.toBe(0);
  });

  test('clips features at four standard deviations', () => {
    const learner = taught(lists(100));
    const at = (first: number) => learner.correction(Float64Array.of(first, 0));
    expect(at(1e9)).toBe(at(1000));
    expect(at(1000)).not.toBe(at(100));
    expect(at(-1e9)).toBe(at(-1000));
  });

  test('limits corrections to a factor of 500 million', () => {
    const numbers = taught(lists(60)).numbers();
    const weights_from = 2 + 2 * FEATURES + 1;
    const learner = new ListLearner(FEATURES, SIZE, seededRandom(1));
    learner.restore(Float64Array.from(numbers, (number, at) => (at < weights_from ? number : number * 1e9)));
    const corrections = [90, 95, 105, 110].map((first) => learner.correction(Float64Array.of(first, 0)));
    expect(corrections.map(Math.abs)).toEqual([20, 20, 20, 20]);
  });

  test('continues bit for bit from restored numbers, during its first lists and later', () => {
    for (const cut of [7, 60]) {
      const all = lists(100);
      const one = taught(all.slice(0, cut));
      const numbers = Float64Array.from(one.numbers());
      const other = new ListLearner(FEATURES, SIZE, seededRandom(77));
      other.learn(lists(1, { level: () => 5 })[0]);
      expect(other.restore(Float64Array.from([...numbers, 4]))).toBe(numbers.length);
      for (const list of all.slice(cut)) {
        one.learn(list);
        other.learn(list);
      }
      expect(Float64Array.from(other.numbers())).toEqual(Float64Array.from(one.numbers()));
      expect(other.correction(Float64Array.of(105, 0))).not.toBe(0);
    }
  });
});
