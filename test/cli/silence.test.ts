import { describe, expect, test } from 'bun:test';
import { Silence } from '../../src/cli/silence.ts';

const TICK_MS = 100;

/** The silence after looks, each with the beats and the time since the look before. */
function silentAfter(...looks: [beats: number | undefined, since_ms: number][]): number {
  const silence = new Silence(TICK_MS);
  for (const [beats, since_ms] of looks) silence.check(beats, since_ms);
  return silence.silent_ms;
}

describe('the silence of a thread', () => {
  test.each<[string, Parameters<typeof silentAfter>, number]>([
    [
      'grows while it does not beat',
      [
        [1, 100],
        [1, 100],
        [1, 110],
      ],
      210,
    ],
    [
      'ends with a beat',
      [
        [1, 100],
        [1, 100],
        [2, 100],
      ],
      0,
    ],
    ['begins with the first look', [[1, 100]], 0],
    [
      'does not grow while the thread need not come back',
      [
        [1, 100],
        [undefined, 100],
        [undefined, 100],
      ],
      0,
    ],
    [
      'begins anew after that',
      [
        [1, 100],
        [undefined, 100],
        [1, 100],
        [1, 100],
      ],
      100,
    ],
    [
      'counts little of the time in which the whole process was stopped',
      [
        [1, 100],
        [1, 3_600_000],
        [1, 100],
      ],
      300,
    ],
  ])('%s', (_, looks, silent_ms) => {
    expect(silentAfter(...looks)).toBe(silent_ms);
  });
});
