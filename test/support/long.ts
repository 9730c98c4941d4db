import { test } from 'bun:test';

/**
 * Factor for repetitions, relative to the default suite. `bun run test:long` sets it and runs every file that imports
 * this one.
 */
const FACTOR = Number(Bun.env.FEEDLOOM_TEST_LONG ?? 1);

/** Number of repetitions: the given one in the default suite, several times more in a long run. */
export function times(count: number): number {
  return Math.round(count * FACTOR);
}

/** The same for a property of fast-check. */
export function runs(count: number): { numRuns: number } {
  return { numRuns: times(count) };
}

/** Like `runs`, but with the same inputs in every default run: for tests that require that certain cases occur. */
export function coveringRuns(count: number): { numRuns: number; seed?: number } {
  return FACTOR > 1 ? runs(count) : { numRuns: count, seed: 1 };
}

/** A test that only long runs execute. */
export function longTest(name: string, body: () => Promise<void>, timeout_ms?: number): void {
  if (FACTOR > 1) test(name, body, timeout_ms);
  else test.skip(`${name} (skipped: bun run test:long)`, body);
}
