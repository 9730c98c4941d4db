import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Runs } from '../../src/columns/runs.ts';
import { check } from '../support/long.ts';

const step = fc.record({
  act: fc.constantFrom('take', 'take', 'give', 'extend'),
  length: fc.integer({ min: 1, max: 9 }),
  which: fc.nat(),
});

/** The used cells of the line. */
function cells(used: readonly { start: number; length: number }[]): Set<number> {
  const taken = new Set<number>();
  for (const { start, length } of used) {
    for (let cell = start; cell < start + length; cell++) {
      expect(taken.has(cell)).toBe(false);
      taken.add(cell);
    }
  }
  return taken;
}

describe('runs', () => {
  test('runs never overlap, fill the first gap that fits, and extend into free space behind them', () => {
    check(200, [fc.array(step, { maxLength: 80, size: 'max' })], (steps) => {
      const runs = new Runs();
      const used: { start: number; length: number }[] = [];
      for (const { act, length, which } of steps) {
        const taken = cells(used);
        const isFree = (from: number, count: number) =>
          Array.from({ length: count }, (_, at) => from + at).every((cell) => !taken.has(cell));
        const chosen = which % Math.max(1, used.length);
        if (act === 'take') {
          let first = 0;
          while (!isFree(first, length)) first++;
          expect(runs.take(length)).toBe(first);
          used.push({ start: first, length });
        } else if (act === 'give' && used.length > 0) {
          const [run] = used.splice(chosen, 1);
          runs.give(run.start, run.length);
        } else if (act === 'extend' && used.length > 0) {
          const run = used[chosen];
          const end = run.start + run.length;
          expect(runs.extend(end, length)).toBe(isFree(end, length));
          if (isFree(end, length)) run.length += length;
        }
        expect(runs.top).toBe(Math.max(0, ...used.map((run) => run.start + run.length)));
      }
    });
  });
});
