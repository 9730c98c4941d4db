import { expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { Exposure } from '../../src/exposure/exposure.ts';
import { State } from '../../src/state/state.ts';

/** Reports that are computed from a log whose read takes some time, and how often that was read. */
function slowExposure(read_ms: number) {
  const log = { now_ms: 0, reads: 0, fails: false };
  const readShown = async () => {
    log.reads++;
    log.now_ms += read_ms;
    if (log.fails) throw new Error('the store is gone');
    return [];
  };
  const options = { state: new State(), store: { readShown }, clock: new ManualClock(1_700_000_000) };
  return { log, exposure: new Exposure({ ...options, monotonicMs: () => log.now_ms }) };
}

test('callers who wait for the same report share it', async () => {
  const { log, exposure } = slowExposure(0);
  const [one, other] = await Promise.all([exposure.ofDays(7), exposure.ofDays(7), exposure.ofDays(1)]);
  expect(one).toBe(other);
  expect(log.reads).toBe(2);
});

test('a report is reused for a hundred times as long as it took, at most five minutes', async () => {
  for (const [read_ms, reused_ms] of [
    [10, 1_000],
    [60_000, 300_000],
  ]) {
    const { log, exposure } = slowExposure(read_ms);
    const first = await exposure.ofDays(7);
    log.now_ms = read_ms + reused_ms - 1;
    expect(await exposure.ofDays(7)).toBe(first);
    log.now_ms++;
    expect(await exposure.ofDays(7)).not.toBe(first);
    expect(log.reads).toBe(2);
  }
});

test('a report that failed is computed again by the next caller', async () => {
  const { log, exposure } = slowExposure(0);
  log.fails = true;
  expect(exposure.ofDays(7)).rejects.toThrow('the store is gone');
  await exposure.ofDays(7).catch(() => {});
  log.fails = false;
  expect((await exposure.ofDays(7)).sample.pages).toBe(0);
});
