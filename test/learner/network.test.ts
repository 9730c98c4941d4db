import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { Network } from '../../src/learner/network.ts';

const FEATURES = 3;
const BATCH = 16;

type Target = (x: Float64Array, at: number) => number;

/** Inputs in [-1, 1). */
function inputs(random: () => number, count: number): Float64Array {
  return Float64Array.from({ length: count * FEATURES }, () => 2 * random() - 1);
}

/** Trains by the squared error of batches. */
function train(network: Network, target: Target, steps: number, random: () => number): void {
  for (let step = 0; step < steps; step++) {
    const x = inputs(random, BATCH);
    for (let at = 0; at < x.length; at += FEATURES) network.note(x, at, network.guess(x, at) - target(x, at));
    network.step();
  }
}

/** Mean squared error divided by the variance of the target, on inputs that were not used for training. */
function unexplained(network: Network, target: Target): number {
  const x = inputs(seededRandom(99), 500);
  const places = Array.from({ length: 500 }, (_, index) => index * FEATURES);
  const mean = places.reduce((sum, at) => sum + target(x, at), 0) / places.length;
  const error = places.reduce((sum, at) => sum + (network.answer(x, at) - target(x, at)) ** 2, 0);
  return error / places.reduce((sum, at) => sum + (target(x, at) - mean) ** 2, 0);
}

const linear: Target = (x, at) => 0.7 * x[at] - 0.4 * x[at + 1];
/** A target that no linear function of its inputs approximates. */
const kinked: Target = (x, at) => Math.abs(x[at] - x[at + 2]);

function bits(network: Network): Float64Array {
  return Float64Array.from(network.numbers());
}

describe('Network', () => {
  test('returns 0 before the first step', () => {
    const network = new Network(FEATURES, seededRandom(1));
    const x = inputs(seededRandom(2), 50);
    for (let at = 0; at < x.length; at += FEATURES) expect(network.answer(x, at)).toBe(0);
    expect(network.trained).toBe(false);
    train(network, linear, 1, seededRandom(3));
    expect(network.trained).toBe(true);
    expect(network.answer(x, 0)).not.toBe(0);
  });

  test.each([
    ['linear', linear],
    ['kinked', kinked],
  ])('learns a %s function', (_, target) => {
    const network = new Network(FEATURES, seededRandom(1));
    expect(unexplained(network, target)).toBeGreaterThanOrEqual(1);
    train(network, target, 6000, seededRandom(2));
    expect(unexplained(network, target)).toBeLessThan(0.03);
  });

  test('answers with a mean of its weights, which changes less than the weights', () => {
    const network = new Network(FEATURES, seededRandom(1));
    const random = seededRandom(2);
    train(network, linear, 3000, random);
    const x = inputs(seededRandom(4), 1);
    let moved = 0;
    let mean_moved = 0;
    for (let step = 0; step < 100; step++) {
      const [guess, answer] = [network.guess(x, 0), network.answer(x, 0)];
      train(network, (all, at) => linear(all, at) + 4 * random() - 2, 1, random);
      moved += Math.abs(network.guess(x, 0) - guess);
      mean_moved += Math.abs(network.answer(x, 0) - answer);
    }
    expect(mean_moved).toBeLessThan(moved / 5);
  });

  test('continues bit for bit from restored numbers', () => {
    const one = new Network(FEATURES, seededRandom(1));
    train(one, kinked, 70, seededRandom(2));
    const numbers = bits(one);
    const other = new Network(FEATURES, seededRandom(8));
    train(other, linear, 5, seededRandom(9));
    // A gradient without a step is not part of the state.
    other.note(new Float64Array(FEATURES).fill(1), 0, 1);
    expect(other.restore(Float64Array.from([...numbers, 1, 2, 3]))).toBe(numbers.length);
    expect(bits(other)).toEqual(numbers);
    for (const network of [one, other]) train(network, kinked, 70, seededRandom(3));
    expect(bits(other)).toEqual(bits(one));
    expect(bits(other)).not.toEqual(numbers);
  });
});
