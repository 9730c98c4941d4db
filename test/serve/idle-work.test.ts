import { expect, test } from 'bun:test';
import { IdleWork } from '../../src/serve/engine-upkeep.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** Work of `steps` pieces that take `step_ms` each. */
function work(steps: number, step_ms: number, effort = 1, crowded = false, is_spare = false) {
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
  const idle = new IdleWork(is_spare ? () => false : step, {
    monotonicMs: () => now_ms,
    timers,
    effort: () => effort,
    crowded: () => crowded,
    spare: is_spare ? step : undefined,
  });
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at++) {
      await timers.pass(0.001);
      now_ms++;
    }
  };
  return { idle, timers, pass, left: () => left, spent_ms: () => spent_ms };
}

test('idle work runs in slices until none is left, then waits for wake', async () => {
  const { idle, timers, pass, left } = work(20, 0.1);
  idle.wake();
  await pass(1);
  expect(left()).toBe(15);
  await pass(100);
  expect(left()).toBe(0);
  expect(timers.count).toBe(0);
});

test('idle work uses at most a quarter of the time, for any amount of work and any number of wakes', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1);
  for (let at = 0; at < 1_000; at++) {
    idle.wake();
    await pass(1);
  }
  expect(spent_ms()).toBeGreaterThan(200);
  expect(spent_ms()).toBeLessThan(350);
});

test('a long step of idle work is followed by a long pause', async () => {
  const { idle, pass, left } = work(2, 40);
  idle.wake();
  await pass(1);
  expect(left()).toBe(1);
  await pass(115);
  expect(left()).toBe(1);
  await pass(10);
  expect(left()).toBe(0);
});

test('idle work uses most of the time without feed requests', async () => {
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

test('idle work uses a quarter of its time at a quarter of the effort', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1, 0.25);
  for (let at = 0; at < 1_000; at++) {
    idle.wake();
    await pass(1);
  }
  expect(spent_ms()).toBeGreaterThan(30);
  expect(spent_ms()).toBeLessThan(100);
});

test('idle work uses a thirteenth of the time while large bodies are processed', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1, 1, true);
  idle.wake();
  await pass(2_000);
  expect(spent_ms()).toBeGreaterThan(100);
  expect(spent_ms()).toBeLessThan(200);
});

test('idle work checks for work at intervals until it is stopped', async () => {
  const timers = new ManualTimers();
  let looked = 0;
  const step = () => {
    looked++;
    return false;
  };
  const idle = new IdleWork(step, { monotonicMs: () => 0, timers, effort: () => 1, crowded: () => false });
  const end = idle.checkEvery(5);
  await timers.pass(4.9);
  expect(looked).toBe(0);
  await timers.pass(10.2);
  expect(looked).toBe(3);
  end();
  await timers.pass(100);
  expect([looked, timers.count]).toEqual([3, 0]);
});

test('spare work waits for the next look without feed requests, and stops at a request', async () => {
  const { idle, pass, left } = work(10_000, 0.1, 1, false, true);
  const stop = idle.checkEvery(1);
  idle.wake();
  await pass(999);
  expect(left()).toBe(10_000);
  await pass(100);
  const still_left = left();
  expect(still_left).toBeLessThan(9_500);
  idle.wake();
  await pass(500);
  expect(left()).toBe(still_left);
  await pass(10_000);
  expect(left()).toBe(0);
  stop();
});

test('spare work waits for the end of large bodies', async () => {
  const { idle, pass, left } = work(10, 0.1, 1, true, true);
  const stop = idle.checkEvery(1);
  await pass(3_000);
  expect(left()).toBe(10);
  stop();
});

test('spare work uses a thirteenth of the time while changes arrive', async () => {
  const { idle, pass, spent_ms } = work(1_000_000, 0.1, 1, false, true);
  const stop = idle.checkEvery(0.01);
  for (let at = 0; at < 1_000; at++) {
    idle.changed();
    await pass(1);
  }
  expect(spent_ms()).toBeGreaterThan(30);
  expect(spent_ms()).toBeLessThan(110);
  stop();
});
