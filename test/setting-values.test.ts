import { afterEach, describe, expect, test } from 'bun:test';
import { StartupError } from '../src/errors.ts';
import { time } from '../src/setting-values.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

describe('a time in a setting', () => {
  test.each([
    ['1700000000', 1_700_000_000],
    ['1700000000.5', 1_700_000_000.5],
    ['2024-02-29', 1_709_164_800],
    ['2024-02-29T12:00:00Z', 1_709_208_000],
    ['2024-02-29T12:00:00', 1_709_208_000],
    ['2024-02-29T12:00:00+02:00', 1_709_200_800],
  ])('%s is the same wherever the machine is', (text, seconds) => {
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      process.env.TZ = zone;
      expect(time('FEEDLOOM_NOW')(text)).toBe(seconds);
    }
  });

  test.each(['', 'noon', '-1', '1 Jan 2024', '2024-02-30', '1969-12-31', '1700000000000'])(
    "'%s' is refused",
    (text) => {
      const refusal = new StartupError(
        'bad_setting',
        `FEEDLOOM_NOW must be epoch seconds or an ISO 8601 time, not '${text}'`,
      );
      expect(() => time('FEEDLOOM_NOW')(text)).toThrow(refusal);
    },
  );
});
