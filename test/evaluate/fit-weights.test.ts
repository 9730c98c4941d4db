import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { fitWeights } from '../../src/evaluate/fit-weights.ts';
import type { Candidate, Choice } from '../../src/evaluate/signal-reader.ts';

const ALWAYS = Number.POSITIVE_INFINITY;

/** Choices among candidates with random signals, in proportion to e^score. */
function choicesBy(weights: readonly number[], half_life_hours: number, count: number): Choice[] {
  const random = seededRandom(4);
  const candidateOf = (): Candidate => ({ signals: weights.map(() => random()), age_hours: 100 * random() });
  const likelihood = ({ signals, age_hours }: Candidate) => {
    const score = signals.reduce((sum, value, at) => sum + weights[at] * value, 0);
    return Math.exp(score * 2 ** (-age_hours / half_life_hours));
  };
  return Array.from({ length: count }, () => {
    const candidates = Array.from({ length: 20 }, candidateOf);
    let left = random() * candidates.reduce((sum, one) => sum + likelihood(one), 0);
    const at = candidates.findIndex((one) => {
      left -= likelihood(one);
      return left < 0;
    });
    return { chosen: candidates[at], others: candidates.toSpliced(at, 1) };
  });
}

describe('the fit of weights', () => {
  test('the weights by which choices were made are found, the greatest as 1', () => {
    const { weights } = fitWeights(choicesBy([2, 6, 0, 3], ALWAYS, 3000), ALWAYS);
    expect(weights[1]).toBe(1);
    expect(weights[0]).toBeCloseTo(1 / 3, 1);
    expect(weights[2]).toBeCloseTo(0, 1);
    expect(weights[3]).toBeCloseTo(1 / 2, 1);
  });

  test('no weight is below 0, even of a signal that people avoid', () => {
    const { weights } = fitWeights(choicesBy([5, -5], ALWAYS, 1000), ALWAYS);
    expect(weights).toEqual([1, 0]);
  });

  test('choices are most likely with the decay by which they were made', () => {
    const choices = choicesBy([4, 4], 24, 2000);
    const likely = [ALWAYS, 168, 24, 4].map((hours) => fitWeights(choices, hours).log_likelihood);
    expect(likely.indexOf(Math.max(...likely))).toBe(2);
  });

  test.each<[string, Choice[]]>([
    ['no choices', []],
    ['signals that are always 0', choicesBy([0, 0], ALWAYS, 50).map(withoutSignals)],
    ['a single candidate each', choicesBy([1, 1], ALWAYS, 50).map(({ chosen }) => ({ chosen, others: [] }))],
  ])('nothing is known from %s, so all weights are 0', (_what, choices) => {
    const { weights, log_likelihood } = fitWeights(choices, 12);
    expect(weights.every((weight) => weight === 0)).toBe(true);
    expect(log_likelihood).not.toBeNaN();
  });

  test('signals that are 1 for each choice and 0 for the rest have a finite weight', () => {
    const none = { signals: [0, 0.5], age_hours: 1 };
    const choices = Array.from({ length: 30 }, () => ({
      chosen: { signals: [1, 0.5], age_hours: 1 },
      others: [none, none],
    }));
    expect(fitWeights(choices, ALWAYS).weights).toEqual([1, 0]);
  });
});

function withoutSignals({ chosen, others }: Choice): Choice {
  const clear = (candidate: Candidate) => ({ ...candidate, signals: candidate.signals.map(() => 0) });
  return { chosen: clear(chosen), others: others.map(clear) };
}
