import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { aheadBy, freshSeed, ManualClock, PastClock, SteadyClock, seededRandom } from '../src/clock.ts';
import { check } from './support/long.ts';

describe('fresh randomness', () => {
  test('is another sequence each time', () => {
    const [one, other] = [freshSeed(), freshSeed()].map((seed) =>
      Array.from({ length: 4 }, seededRandom(seed)),
    );
    expect(one).not.toEqual(other);
  });

  test('goes on, from 0 up to but not 1', () => {
    const random = seededRandom(freshSeed());
    const numbers = Array.from({ length: 10_000 }, random);
    expect(numbers.filter((number) => !(number >= 0 && number < 1))).toEqual([]);
    // A few of them may be equal by chance.
    expect(new Set(numbers).size).toBeGreaterThan(9_980);
    const mean = numbers.reduce((sum, number) => sum + number) / numbers.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.03);
  });
});

test('another clock is ahead or behind only by what the time of reading it cannot explain', () => {
  const read = (other: number) => aheadBy(other, 1_000, 1_030);
  expect([970, 1_000, 1_029, 1_030, 1_031].map(read)).toEqual([-30, 0, 0, 0, 1]);
});

describe('a steady clock', () => {
  test('says what the one says that it follows', () => {
    const clock = new ManualClock(1_000);
    const steady = new SteadyClock(clock, () => 999);
    expect(steady.now()).toBe(1_000);
    clock.advance(0.001);
    expect(steady.now()).toBe(1_000.001);
    clock.advance(3600);
    expect(steady.now()).toBe(4_600.001);
  });

  test('that begins ahead goes on at half the pace until it has been caught up', () => {
    const clock = new ManualClock(1_000);
    const steady = new SteadyClock(clock, () => 1_100);
    steady.now();
    const after = (seconds: number) => {
      clock.advance(seconds);
      return steady.now();
    };
    expect([0, 20, 0.002, 179.998].map(after)).toEqual([1_100, 1_110, 1_110.001, 1_200]);
    expect([1, 10].map(after)).toEqual([1_201, 1_211]);
  });

  test('is never behind what has been reached, which may rise', () => {
    const clock = new ManualClock(1_000);
    let reached = 900;
    const steady = new SteadyClock(clock, () => reached);
    expect(steady.now()).toBe(1_000);
    reached = 1_200;
    expect(steady.now()).toBe(1_200);
    clock.advance(10);
    expect(steady.now()).toBe(1_205);
  });

  test('does not stand still when it is caught up to the millisecond', () => {
    const clock = new ManualClock(1_000);
    let reached = 1_010;
    const steady = new SteadyClock(clock, () => reached);
    expect(steady.now()).toBe(1_010);
    clock.advance(10);
    reached = steady.now();
    expect(reached).toBe(1_015);
    expect(steady.now()).toBe(1_015);
    clock.advance(5);
    expect(steady.now()).toBe(1_017.5);
    clock.advance(5);
    expect(steady.now()).toBe(1_020);
  });

  test('is set back where nothing has been reached', () => {
    const clock = new ManualClock(1_000);
    const steady = new SteadyClock(clock, () => 500);
    const set = (seconds: number) => {
      clock.set(seconds);
      return steady.now();
    };
    expect([1_000, 600, 490, 492, 498, 510].map(set)).toEqual([1_000, 600, 600, 601, 604, 510]);
  });

  test('goes on in the millisecond in which the other catches up', () => {
    const clock = new ManualClock(1_700_000_000);
    let reached = 1_700_000_000.006;
    const steady = new SteadyClock(clock, () => reached);
    const times = [0, 0.005, 0.003].map((seconds) => {
      clock.advance(seconds);
      reached = Math.max(reached, steady.now());
      return reached;
    });
    expect(times.map((time) => Math.round(time * 1000) % 1000)).toEqual([6, 8, 9]);
  });

  test('goes on whenever the other does, however that is set, from what has been reached', () => {
    const step = fc.oneof(fc.integer({ min: 2, max: 50_000 }), fc.integer({ min: -10_000_000, max: -1 }));
    check(100, [fc.array(step), fc.integer({ min: 0, max: 9_000_000 })], (steps, ahead_ms) => {
      const clock = new ManualClock(1_700_000_000);
      let reached = 1_700_000_000 + ahead_ms / 1000;
      const steady = new SteadyClock(clock, () => reached);
      // What it says is stored.
      const stored = () => {
        reached = Math.max(reached, steady.now());
        return reached;
      };
      let last = stored();
      for (const ms of steps) {
        clock.advance(ms / 1000);
        const now = stored();
        if (ms > 0) expect(now).toBeGreaterThan(last);
        else expect(now).toBe(last);
        expect(Math.round(now * 1000)).toBeGreaterThanOrEqual(Math.round(clock.now() * 1000));
        last = now;
      }
    });
  });
});

test('a past clock shows the time that was set until it is released', () => {
  const clock = new PastClock(new ManualClock(1_000));
  expect(clock.now()).toBe(1_000);
  clock.set(10);
  expect(clock.now()).toBe(10);
  clock.release();
  expect(clock.now()).toBe(1_000);
});
