import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { joinTime, msPart, roundToMs, secondsPart } from '../../src/columns/time.ts';
import { clamped } from '../../src/model/acts.ts';
import { check } from '../support/long.ts';

const moment = fc.double({ min: 0, max: 2 ** 32 - 1, noNaN: true });

describe('a time in columns', () => {
  test('a time in columns is exact, whatever the bits above the milliseconds contain', () => {
    check(2000, [moment, fc.nat(63)], (time, high) => {
      const rounded = roundToMs(time);
      const seconds = Uint32Array.of(secondsPart(rounded))[0];
      const low = Uint16Array.of(msPart(rounded) | (high << 10))[0];
      expect(joinTime(seconds, low)).toBe(rounded);
    });
  });

  test('a time in columns is off by at most half a millisecond, and rounding again changes nothing', () => {
    check(2000, [moment], (time) => {
      expect(Math.abs(roundToMs(time) - time)).toBeLessThanOrEqual(0.000_501);
      expect(roundToMs(roundToMs(time))).toBe(roundToMs(time));
    });
  });

  test('a time in columns carries into the next second', () => {
    expect([secondsPart(9.9996), msPart(9.9996)]).toEqual([10, 0]);
    expect([secondsPart(9.9994), msPart(9.9994)]).toEqual([9, 999]);
    expect([secondsPart(0), msPart(0)]).toEqual([0, 0]);
    expect(joinTime(2 ** 32 - 1, 999)).toBe(2 ** 32 - 1 + 0.999);
  });

  test('a clamped time is never later than the time of writing, and otherwise unchanged', () => {
    expect(clamped(1e11, 1_700_000_000.25)).toBe(1_700_000_000.25);
    expect(clamped(1_699_999_999.125, 1_700_000_000)).toBe(1_699_999_999.125);
  });
});
