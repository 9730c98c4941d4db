import { describe, expect, test } from 'bun:test';
import { Pace } from '../../src/ingest/pace.ts';
import { LIMITS } from '../../src/limits.ts';

/** A pace under a clock that only sleeping moves on; `seen` tells what it did in order. */
function paced(oversleeps_ms = 0) {
  const seen: (string | number)[] = [];
  const clock = { ms: 1_000 };
  const pace = new Pace({
    monotonicMs: () => clock.ms,
    sleep: async (ms) => {
      seen.push(ms);
      clock.ms += ms + oversleeps_ms;
    },
    nextTurn: async () => {
      seen.push('turn');
    },
  });
  return { pace, seen, clock };
}

describe('the pace of large bodies', () => {
  test('is a slice at each turn of the event loop while nobody reads', async () => {
    const { pace, seen } = paced();
    await pace.next();
    await pace.next();
    expect(seen).toEqual(['turn', 'turn']);
  });

  test('is a slice every two milliseconds while somebody reads', async () => {
    const { pace, seen, clock } = paced();
    pace.reading();
    await pace.next();
    await pace.next();
    clock.ms += 1.5;
    await pace.next();
    expect(seen).toEqual(['turn', 'turn', 2, 'turn', 1]);
    clock.ms += 250;
    await pace.next();
    expect(seen).toEqual(['turn', 'turn', 2, 'turn', 1, 'turn']);
  });

  test('is in smaller slices while somebody reads', () => {
    const { pace, clock } = paced();
    const { ingest_slice_records: many, ingest_slice_records_read: few } = LIMITS;
    expect(few).toBeLessThan(many);
    expect(pace.slice_records).toBe(many);
    pace.reading();
    expect(pace.slice_records).toBe(few);
    clock.ms += 251;
    expect(pace.slice_records).toBe(many);
  });

  test('gives others their turn also when a slice took longer than that', async () => {
    const { pace, seen, clock } = paced();
    pace.reading();
    await pace.next();
    clock.ms += 10;
    await pace.next();
    expect(seen).toEqual(['turn', 'turn']);
  });

  test('holds for all bodies together', async () => {
    const { pace, clock } = paced();
    pace.reading();
    const began: number[] = [];
    await Promise.all(Array.from({ length: 4 }, () => pace.next().then(() => began.push(clock.ms))));
    for (const [at, ms] of began.entries()) expect(ms).toBeGreaterThanOrEqual(1_000 + 2 * at);
  });
});
