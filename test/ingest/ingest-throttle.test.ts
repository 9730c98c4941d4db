import { describe, expect, test } from 'bun:test';
import { IngestThrottle } from '../../src/ingest/ingest-throttle.ts';
import { LIMITS } from '../../src/limits.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';

const { ingest_slice_records: many, ingest_slice_records_read: few } = LIMITS;

/** A pace with a clock that advances only by sleeping and working. */
function paced(oversleeps_ms = 0) {
  const clock = { ms: 1_000 };
  const turns = { count: 0 };
  const pace = new IngestThrottle({
    monotonicMs: () => clock.ms,
    sleep: async (ms) => {
      clock.ms += ms + oversleeps_ms;
    },
    nextTurn: async () => {
      turns.count++;
    },
  });
  /** The start of each slice of a body and its number of records. Each slice takes `work_ms`. */
  const workOff = async (records: number, work_ms = 0) => {
    const began: number[] = [];
    const lengths: number[] = [];
    for (const { slice, begins } of pace.slices(new Array(records).fill(0), false)) {
      await begins;
      began.push(clock.ms - 1_000);
      lengths.push(slice.length);
      clock.ms += work_ms;
    }
    return { began, lengths };
  };
  return { pace, clock, turns, workOff };
}

describe('the pace of large bodies', () => {
  test('is a slice at each turn of the event loop while no page is requested', async () => {
    const { turns, workOff } = paced();
    const { began, lengths } = await workOff(2 * many + 1);
    expect(lengths).toEqual([many, many, 1]);
    expect(began).toEqual([0, 0, 0]);
    expect(turns.count).toBe(2);
  });

  test('is a smaller slice every four milliseconds while pages are requested', async () => {
    const { pace, turns, workOff } = paced();
    expect(few).toBeLessThan(many);
    pace.reading();
    const { began, lengths } = await workOff(4 * few, 1);
    expect(lengths).toEqual([few, few, few, few]);
    expect(began).toEqual([0, 4, 8, 12]);
    expect(turns.count).toBe(3);
  });

  test('returns to full speed a while after the last page request', async () => {
    const { pace, clock, workOff } = paced();
    pace.reading();
    clock.ms += 251;
    expect((await workOff(many + 1)).lengths).toEqual([many, 1]);
  });

  test('does not delay a body because it was fast before the first page request', async () => {
    const { pace, clock } = paced();
    const began: number[] = [];
    for (const { start, begins } of pace.slices(new Array(40 * many).fill(0), false)) {
      await begins;
      began.push(clock.ms - 1_000);
      if (start >= 38 * many) pace.reading();
    }
    expect(began.slice(0, 39).every((ms) => ms === 0)).toBe(true);
    expect(began.slice(39, 41)).toEqual([4, 8]);
  });

  test('is kept on average even if timers fire late', async () => {
    const { pace, workOff } = paced(1);
    pace.reading();
    const { began } = await workOff(20 * few);
    expect(began.at(-1)).toBeLessThanOrEqual(19 * 4 + 1);
  });

  test('yields to others even if a slice takes longer, and does not catch up then', async () => {
    const { pace, clock, turns, workOff } = paced();
    pace.reading();
    expect((await workOff(3 * few, 10)).began).toEqual([0, 10, 20]);
    expect(turns.count).toBe(2);
    pace.reading();
    const start = clock.ms - 1_000;
    expect((await workOff(2 * few)).began).toEqual([start, start + 4]);
  });

  test('is at most one slice every two milliseconds for all bodies together', async () => {
    // Its seconds represent milliseconds, so that nothing is rounded.
    const timers = new ManualTimers();
    const pace = new IngestThrottle({
      monotonicMs: () => timers.passed_seconds,
      sleep: (ms) => new Promise<void>((resolve) => timers.after(ms, resolve)),
      nextTurn: settled,
    });
    pace.reading();
    const began: number[] = [];
    const workOff = async () => {
      for (const { begins } of pace.slices(new Array(5 * few).fill(0), false)) {
        await begins;
        if (begins !== undefined) began.push(timers.passed_seconds);
      }
    };
    const working = Promise.all([workOff(), workOff(), workOff(), workOff()]);
    for (let ms = 0; ms < 50; ms++) {
      await settled();
      await timers.pass(1);
    }
    await working;
    expect(began).toHaveLength(16);
    for (const [at, ms] of began.entries()) expect(ms - (began[at - 1] ?? 0)).toBeGreaterThanOrEqual(2);
    // Hardly any turn is lost: 16 slices 2 ms apart, the first after 4.
    expect(began.at(-1)).toBeLessThanOrEqual(40);
  });

  test('counts only large bodies as a crowd', async () => {
    const { pace, clock, workOff } = paced();
    await workOff(many);
    expect(pace.crowded).toBe(false);
    await workOff(2 * many);
    expect(pace.crowded).toBe(true);
    clock.ms += 51;
    expect(pace.crowded).toBe(false);
  });
});
