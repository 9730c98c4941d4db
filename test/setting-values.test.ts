import { afterEach, describe, expect, test } from 'bun:test';
import { StartupError } from '../src/errors.ts';
import { time } from '../src/setting-values.ts';
import { readSettings, SETTINGS } from '../src/settings.ts';

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

  test.each(['', 'noon', '-1', '1 Jan 2024', '2024-02-30', '2024-01-01T25:00:00Z'])(
    "'%s' is refused",
    (text) => {
      const refusal = new StartupError(
        'bad_setting',
        `FEEDLOOM_NOW must be epoch seconds or an ISO 8601 time, not '${text}'`,
      );
      expect(() => time('FEEDLOOM_NOW')(text)).toThrow(refusal);
    },
  );

  test.each(['1969-12-31', '2200-01-01', '2106-02-07T06:28:16Z', '4294967296', '1700000000000'])(
    "'%s' is refused because it is too far away",
    (text) => {
      const refusal = new StartupError(
        'bad_setting',
        `FEEDLOOM_NOW must be from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, not '${text}'`,
      );
      expect(() => time('FEEDLOOM_NOW')(text)).toThrow(refusal);
    },
  );

  test.each([
    ['1970-01-01', 0],
    ['2106-02-07T06:28:15Z', 4_294_967_295],
  ])('%s is not', (text, seconds) => expect(time('FEEDLOOM_NOW')(text)).toBe(seconds));
});

/** What a setting is, or the refusal. */
function outcome(name: 'api_key' | 'metadata_key' | 'metadata_key_header', text: string): unknown {
  const { env, flag } = SETTINGS[name];
  try {
    const { [name]: value } = readSettings({ [env]: text });
    expect(readSettings({}, { [name]: text })[name]).toBe(value);
    return value;
  } catch (error) {
    const { code, message } = error as StartupError;
    expect(() => readSettings({}, { [name]: text })).toThrow(error as StartupError);
    expect([code, flag]).toEqual(['bad_setting', flag]);
    return message;
  }
}

describe('keys that are sent in headers', () => {
  const KEYS = ['fl_0123456789abcdefABCDEF-_.~', 'a', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
  const REFUSED = [
    ' ',
    'x ',
    ' x',
    'x\t',
    'x\r',
    'x\n',
    'x\r\ny',
    'clé',
    'x\u0000',
    'x\u007f',
    '\ufeffx',
    'ключ',
  ];

  test.each(KEYS)('%s is a key', (key) => {
    expect(outcome('api_key', key)).toBe(key);
    expect(outcome('metadata_key', key)).toBe(key);
  });

  test.each(REFUSED)('%j is none, and the refusal does not tell it', (key) => {
    expect(outcome('api_key', key)).toBe(
      'FEEDLOOM_API_KEY must be printable ASCII characters without blanks (its value is not shown)',
    );
    expect(outcome('metadata_key', key)).toBe(
      'FEEDLOOM_METADATA_KEY must be printable ASCII characters without blanks at its ends (its value is not shown)',
    );
  });

  test('only what is sent to third parties may have blanks inside', () => {
    expect(outcome('metadata_key', 'Bearer a b')).toBe('Bearer a b');
    expect(outcome('api_key', 'a b')).toContain('without blanks (');
  });

  test.each(['x-api-key', 'Authorization', "!#$%&'*+-.^_`|~09azAZ"])('%s names a header', (name) =>
    expect(outcome('metadata_key_header', name)).toBe(name),
  );

  test.each(['x api key', 'x:', 'x\n', 'schlüssel', '"x"', '(x)', 'a/b', ' x'])('%j names none', (name) =>
    expect(outcome('metadata_key_header', name)).toBe(
      `FEEDLOOM_METADATA_KEY_HEADER must be the name of a header (letters, digits and !#$%&'*+-.^_\`|~), not '${name}'`,
    ),
  );
});

describe('numbers in settings', () => {
  test.each([
    ['write_queue', '1', 1],
    ['write_queue', '10000000', 10_000_000],
    ['exploration_percent', '0', 0],
    ['exploration_percent', '100', 100],
  ] as const)('%s may be %s', (name, text, value) => {
    expect(readSettings({ [SETTINGS[name].env]: text })[name]).toBe(value);
    expect(readSettings({}, { [name]: text })[name]).toBe(value);
  });

  test.each([
    ['write_queue', '0', 'FEEDLOOM_WRITE_QUEUE must be an integer from 1 to 10000000'],
    ['exploration_percent', '101', 'FEEDLOOM_EXPLORATION_PERCENT must be an integer from 0 to 100'],
  ] as const)('%s may not be %s', (name, text, message) => {
    const refusal = new StartupError('bad_setting', `${message}, not '${text}'`);
    expect(() => readSettings({ [SETTINGS[name].env]: text })).toThrow(refusal);
  });
});
