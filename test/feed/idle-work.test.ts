import { expect, test } from 'bun:test';
import { IdleWork } from '../../src/feed/idle-work.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** Work of `steps` pieces that take `step_ms` each. */
function work(steps: number, step_ms: number, effort = 1, crowded = false) {
  const timers = new ManualTimers();
  let now_ms = 0;
  let left = steps;
  let spent_ms = 0;
  const step = () => {
    if (left === 0) return false;
    left--;
    now_ms += step_ms;
    spent_ms += step_ms;
    return true;
  };
  const idle = new IdleWork(step, {
    monotonicMs: () => now_ms,
    timers,
    effort: () => effort,
    crowded: () => crowded,
  });
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at++) {
      await timers.pass(0.001);
      now_ms++;
    }
  };
  return { idle, timers, pass, left: () => left, spent_ms: () => spent_ms };
}

test('goes on in slices until nothing is left, then waits to be woken', async () => {
  const { idle, timers, pass, left } = work(20, 0.1);
  idle.wake();
  await pass(1);
  expect(left()).toBe(15);
  await pass(100);
  expect(left()).toBe(0);
  expect(timers.count).toBe(0);
});

test('takes a quarter of the time at most, however much there is and however often it is woken', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1);
  for (let at = 0; at < 1_000; at++) {
    idle.wake();
    await pass(1);
  }
  expect(spent_ms()).toBeGreaterThan(200);
  expect(spent_ms()).toBeLessThan(350);
});

test('a long step is followed by a long rest', async () => {
  const { idle, pass, left } = work(2, 40);
  idle.wake();
  await pass(1);
  expect(left()).toBe(1);
  await pass(115);
  expect(left()).toBe(1);
  await pass(10);
  expect(left()).toBe(0);
});

test('when no page is asked for it takes most of the time', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1);
  idle.wake();
  await pass(100);
  expect(spent_ms()).toBeLessThan(60);
  await pass(1_000);
  const alone_ms = spent_ms();
  expect(alone_ms).toBeGreaterThan(500);
  idle.wake();
  await pass(100);
  expect(spent_ms() - alone_ms).toBeLessThan(60);
});

test('with a quarter of the effort it takes a quarter of that', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1, 0.25);
  for (let at = 0; at < 1_000; at++) {
    idle.wake();
    await pass(1);
  }
  expect(spent_ms()).toBeGreaterThan(30);
  expect(spent_ms()).toBeLessThan(100);
});

test('in a crowd it takes a thirteenth, whether or not pages are asked for', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1, 1, true);
  idle.wake();
  await pass(2_000);
  expect(spent_ms()).toBeGreaterThan(100);
  expect(spent_ms()).toBeLessThan(200);
});

test('looks for work although nobody wakes it, until it is told to end', async () => {
  const timers = new ManualTimers();
  let looked = 0;
  const step = () => {
    looked++;
    return false;
  };
  const idle = new IdleWork(step, { monotonicMs: () => 0, timers, effort: () => 1, crowded: () => false });
  const end = idle.lookEvery(5);
  await timers.pass(4.9);
  expect(looked).toBe(0);
  await timers.pass(10.2);
  expect(looked).toBe(3);
  end();
  await timers.pass(100);
  expect([looked, timers.count]).toEqual([3, 0]);
});
