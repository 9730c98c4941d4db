import { expect, test } from 'bun:test';
import { LoadGauge } from '../../src/serve/load-gauge.ts';
import { ManualTimers } from '../support/manual-timers.ts';

const THRESHOLD_MS = 50;

/** A gauge on an event loop with the delay that the test sets. */
function watched(threshold_ms = THRESHOLD_MS) {
  const timers = new ManualTimers();
  let now_ms = 0;
  const gauge = new LoadGauge({ monotonicMs: () => now_ms, timers, threshold_ms });
  const stop = gauge.watch();
  /** Runs ticks for `ms`, each `late_ms` late. */
  const spend = async (ms: number, late_ms: number) => {
    for (const end_ms = now_ms + ms; now_ms < end_ms; ) {
      now_ms += 25 + late_ms;
      await timers.pass(0.025);
    }
    return gauge.effort;
  };
  return { gauge, timers, stop, spend };
}

test('the effort is full without delay of the event loop', async () => {
  const { gauge, spend } = watched();
  expect(gauge.effort).toBe(1);
  expect(await spend(10_000, 1)).toBe(1);
  expect(gauge.lag_ms).toBeCloseTo(1, 5);
});

test('a single pause is not load, and the same delay for a second is', async () => {
  const { gauge, spend } = watched();
  await spend(1_000, 0);
  expect(await spend(1, 60)).toBe(1);
  expect(gauge.lag_ms).toBeGreaterThan(0);
  expect(await spend(1_000, 60)).toBe(0.5);
});

test('the effort falls in steps with the lag, to a quarter at the lowest', async () => {
  const { spend } = watched();
  expect(await spend(2_000, 49)).toBe(1);
  expect(await spend(2_000, 70)).toBe(0.5);
  expect(await spend(2_000, 110)).toBe(0.25);
  expect(await spend(20_000, 5_000)).toBe(0.25);
});

test('the effort rises only when the lag is well below the threshold', async () => {
  const { spend } = watched();
  await spend(2_000, 200);
  expect(await spend(5_000, 60)).toBe(0.25);
  expect(await spend(5_000, 40)).toBe(0.5);
  expect(await spend(5_000, 26)).toBe(0.5);
  expect(await spend(5_000, 20)).toBe(1);
});

test('a threshold of 0 keeps full effort and still measures the lag', async () => {
  const { gauge, spend } = watched(0);
  expect(await spend(5_000, 900)).toBe(1);
  expect(gauge.lag_ms).toBeCloseTo(900, 3);
});

test('measuring ends on request', () => {
  const { timers, stop } = watched();
  expect(timers.count).toBe(1);
  stop();
  expect(timers.count).toBe(0);
});
