import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { RegularPurge } from '../../src/store/regular-purge.ts';

/** Manual timers, and a store that records its purges. */
function scene(fail = false) {
  const waiting = new Map<() => void, number>();
  const failures: string[] = [];
  const counts = { purges: 0 };
  const timers = {
    after(seconds: number, run: () => void) {
      waiting.set(run, seconds);
      return () => void waiting.delete(run);
    },
  };
  const store = {
    async purge() {
      counts.purges++;
      if (fail) throw new Error('no');
    },
  };
  const purge = new RegularPurge(store, timers, ({ message }) => failures.push(message));
  const pass = async () => {
    await Bun.sleep(0);
    for (const [run] of [...waiting]) {
      waiting.delete(run);
      run();
    }
    await Bun.sleep(0);
  };
  return { waiting, failures, counts, purge, pass };
}

test('purges at once and then every few hours', async () => {
  const { waiting, counts, pass } = scene();
  expect(counts.purges).toBe(1);
  await pass();
  await pass();
  expect(counts.purges).toBe(3);
  expect([...waiting.values()]).toEqual([LIMITS.purge_every_seconds]);
  expect(LIMITS.purge_every_seconds).toBeLessThan(24 * 3600);
});

test('reports a failed purge and tries again', async () => {
  const { failures, counts, pass } = scene(true);
  await pass();
  expect([counts.purges, failures]).toEqual([2, ['no', 'no']]);
});

test('ends without a report when stopped', async () => {
  const early = scene(true);
  early.purge.stop();
  await early.pass();
  expect([early.counts.purges, early.failures, early.waiting.size]).toEqual([1, [], 0]);
  const late = scene();
  await Bun.sleep(0);
  late.purge.stop();
  await late.pass();
  expect([late.counts.purges, late.waiting.size]).toEqual([1, 0]);
});
