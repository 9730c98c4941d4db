import { expect, test } from 'bun:test';
import { learningProblem } from '../../src/feeds/learning.ts';
import { signalKey } from '../../src/model/signal-key.ts';

test('signals whose keys are equal cannot be learnt together', () => {
  expect(signalKey('costarring')).toBe(signalKey('liquid'));
  expect(learningProblem(['costarring', 'popular', 'liquid'])).toContain("'liquid' and 'costarring'");
  expect(learningProblem(['costarring', 'popular'])).toBeUndefined();
  expect(learningProblem(['popular', 'popular'])).toBeUndefined();
});

test('a feed learns at most 24 signals', () => {
  const signals = Array.from({ length: 25 }, (_, at) => `signal${at}`);
  expect(learningProblem(signals.slice(1))).toBeUndefined();
  expect(learningProblem(signals)).toContain('at most 24');
});
