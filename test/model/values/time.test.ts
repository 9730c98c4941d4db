import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/limits.ts';
import { seconds } from '../../../src/model/values/time.ts';
import { check } from '../../support/long.ts';
import { outcome } from '../records/support.ts';

const GOOD: [unknown, number][] = [
  [0, 0],
  [-0, 0],
  [1764861160, 1764861160],
  [1506826800.026, 1506826800.026],
  [1.0004, 1],
  [1.0006, 1.001],
  [LIMITS.stored_seconds_max, LIMITS.stored_seconds_max],
  ['1970-01-01', 0],
  ['2024-02-29', 1709164800],
  ['2025-12-04T15:12:40Z', 1764861160],
  ['2025-12-04T15:12:40', 1764861160],
  ['2025-12-04T15:12', 1764861120],
  ['2025-12-04T15:12:40.0266Z', 1764861160.027],
  ['2025-12-04T17:12:40+02:00', 1764861160],
  ['2025-12-04T17:12:40+0200', 1764861160],
  ['2025-12-04T17:12:40+02', 1764861160],
  ['2025-12-04T09:42:40-05:30', 1764861160],
  ['2025-12-04 15:12:40', 1764861160],
  ['2025-12-04t15:12:40z', 1764861160],
  ['2025-12-04 15:12:40.123456+00', 1764861160.123],
  ['2025-12-04 15:12:40.999999999Z', 1764861161],
  ['2025-12-04 15:12:40 UTC', 1764861160],
  ['2025-12-04 15:12:40.5 GMT', 1764861160.5],
  ['2025-12-04 15:12 UTC', 1764861120],
  ['2016-12-31T23:59:60Z', 1483228800],
  ['2016-12-31 23:59:60.25', 1483228800.25],
  ['2017-01-01T00:59:60+01:00', 1483228800],
  ['2016-12-31T18:29:60-0530', 1483228800],
  ['1969-12-31T23:00:00-01:00', 0],
];

const BAD: [unknown, string][] = [
  [1e11 + 1, 'expected seconds, this looks like milliseconds'],
  [1764861160000, 'expected seconds, this looks like milliseconds'],
  [1764861160000000, 'expected seconds, this looks like microseconds'],
  [1764861160000000000, 'expected seconds, this looks like nanoseconds'],
  [1e300, 'expected seconds, this is more than 100000000000'],
  [LIMITS.stored_seconds_max + 1, '2106'],
  [1e11, '2106'],
  [-1, 'not before 1970'],
  [-0.001, 'not before 1970'],
  [Number.NaN, 'ISO 8601'],
  [Number.POSITIVE_INFINITY, 'ISO 8601'],
  ['1764861160', 'as a number'],
  ['', 'ISO 8601'],
  ['yesterday', 'ISO 8601'],
  ['2025-12', 'ISO 8601'],
  ['20251204', 'ISO 8601'],
  ['2025-12-04  15:12:40', 'ISO 8601'],
  ['2025-12-04_15:12:40', 'ISO 8601'],
  ['2025-12-04T15', 'ISO 8601'],
  ['2025-12-04Z', 'ISO 8601'],
  [' 2025-12-04', 'ISO 8601'],
  ['2025-12-04T15:12:40UTC', 'ISO 8601'],
  ['2025-12-04T15:12:40 utc', 'ISO 8601'],
  ['2025-12-04T15:12:40 EST', 'ISO 8601'],
  ['2025-12-04 UTC', 'ISO 8601'],
  ['2025-12-04T15:12:40+2', 'ISO 8601'],
  ['2025-12-04T15:12:40.1234567890Z', 'ISO 8601'],
  ['Thu, 04 Dec 2025 15:12:40 GMT', 'ISO 8601'],
  ['2025-13-01', 'does not exist'],
  ['2025-00-01', 'does not exist'],
  ['2025-02-29', 'does not exist'],
  ['2100-02-29', 'does not exist'],
  ['2025-04-31', 'does not exist'],
  ['2025-12-04T24:00:00Z', 'does not exist'],
  ['2025-12-04T23:60:00Z', 'does not exist'],
  ['2025-12-04T23:59:61Z', 'does not exist'],
  ['2025-12-04T12:00:60Z', 'does not exist'],
  ['2025-12-04T23:59:60+01:00', 'does not exist'],
  ['2025-12-04T23:59:00+24:00', 'does not exist'],
  ['1969-12-31', 'not before 1970'],
  ['0071-01-01', 'not before 1970'],
  ['2107-01-01', '2106'],
  [true, 'ISO 8601'],
  [[1764861160], 'ISO 8601'],
  [{}, 'ISO 8601'],
];

describe('a time', () => {
  test.each(GOOD)('%p is %p seconds', (value, expected) => expect(seconds(value)).toBe(expected));

  test.each(BAD)('%p is refused: %s', (value, message) => {
    expect(outcome<number>(seconds, value)).toEqual({ refused: expect.stringContaining(message) });
  });

  test('written by toISOString is read to the millisecond', () => {
    const storable = fc.date({
      min: new Date(0),
      max: new Date(LIMITS.stored_seconds_max * 1000),
      noInvalidDate: true,
    });
    check(100, [storable], (date) => seconds(date.toISOString()) === date.getTime() / 1000);
  });
});
