import { afterEach, describe, expect, test } from 'bun:test';
import { StartupError } from '../src/errors.ts';
import { duration, headerList, origins, pathPrefix, time } from '../src/setting-values.ts';
import { readSettings, SETTINGS, unknownVariables } from '../src/settings.ts';

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
      expect(time(text, 'FEEDLOOM_NOW')).toBe(seconds);
    }
  });

  test.each(['', 'noon', '1e9', '1 Jan 2024', '2024-W10-1', '20240229T12'])("'%s' is refused", (text) => {
    const refusal = new StartupError(
      'bad_setting',
      `FEEDLOOM_NOW must be epoch seconds in plain digits, or like 2024-02-29 or 2024-02-29T12:00:00Z, not '${text}'`,
    );
    expect(() => time(text, 'FEEDLOOM_NOW')).toThrow(refusal);
  });

  test.each(['2024-02-30', '2024-01-01T25:00:00Z', '2024-01-01T00:00+24:00'])(
    "'%s' is refused because the day or the time is none",
    (text) => {
      const refusal = new StartupError(
        'bad_setting',
        `FEEDLOOM_NOW must be an existing day, with a time up to 23:59:59 and an offset up to 23:59, not '${text}'`,
      );
      expect(() => time(text, 'FEEDLOOM_NOW')).toThrow(refusal);
    },
  );

  test.each(['-1', '1969-12-31', '2200-01-01', '2106-02-07T06:28:16Z', '4294967296', '1700000000000'])(
    "'%s' is refused because it is too far away",
    (text) => {
      const refusal = new StartupError(
        'bad_setting',
        `FEEDLOOM_NOW must be from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, not '${text}'`,
      );
      expect(() => time(text, 'FEEDLOOM_NOW')).toThrow(refusal);
    },
  );

  test.each([
    ['1970-01-01', 0],
    ['2106-02-07T06:28:15Z', 4_294_967_295],
  ])('%s is not', (text, seconds) => expect(time(text, 'FEEDLOOM_NOW')).toBe(seconds));
});

/** What a setting is, or the refusal. */
function outcome(
  name: 'api_key' | 'cluster_secret' | 'metadata_key' | 'metadata_key_header',
  text: string,
): unknown {
  const { env, flag } = SETTINGS[name];
  try {
    const { [name]: value } = readSettings({ [env]: text });
    expect(readSettings({}, { [name]: text })[name]).toBe(value);
    return value;
  } catch (error) {
    const { code, message } = error as StartupError;
    expect(code).toBe('bad_setting');
    // What was typed is named: the flag, when it was that.
    const of_flag = new StartupError('bad_setting', message.replace(env, flag));
    expect(() => readSettings({}, { [name]: text })).toThrow(of_flag);
    return message;
  }
}

describe('keys that are sent in headers', () => {
  const KEYS = ['fl_0123456789abcdefABCDEF-_.~', '0123456789abcdef', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
  const REFUSED = [
    ' ',
    'x ',
    ' x',
    'x\t',
    'x\r',
    'x\n\n',
    'x\r\ny',
    'clé',
    'x\u0000',
    'x\u007f',
    '\ufeffx',
    'ключ',
  ].map((text) => text.replace(/[^\s]/u, (first) => first.repeat(16)));

  test.each(KEYS)('%s is a key', (key) => {
    expect(outcome('api_key', key)).toBe(key);
    expect(outcome('metadata_key', key)).toBe(key);
  });

  test.each(REFUSED)('%j is none, and the refusal does not tell it', (key) => {
    expect(outcome('api_key', key)).toBe(
      'FEEDLOOM_API_KEY must be at least 16 printable ASCII characters without blanks (its value is not shown)',
    );
    expect(outcome('metadata_key', key)).toBe(
      'FEEDLOOM_METADATA_KEY must be printable ASCII characters without blanks at its ends (its value is not shown)',
    );
  });

  test('only what is sent to third parties may have blanks inside', () => {
    expect(outcome('metadata_key', 'Bearer a b')).toBe('Bearer a b');
    expect(outcome('api_key', 'a key with blanks')).toContain('without blanks (');
  });

  test('keys and secrets that the operator makes up have at least 16 characters', () => {
    for (const name of ['api_key', 'cluster_secret'] as const) {
      expect(outcome(name, '0123456789abcde')).toContain('must be at least 16 printable ASCII characters');
      expect(outcome(name, '0123456789abcdef')).toBe('0123456789abcdef');
    }
    expect(outcome('metadata_key', '7')).toBe('7');
  });

  test.each(['x-api-key', 'Authorization', "!#$%&'*+-.^_`|~09azAZ"])('%s names a header', (name) =>
    expect(outcome('metadata_key_header', name)).toBe(name),
  );

  test.each(['x api key', 'x:', 'x\n', 'schlüssel', '"x"', '(x)', 'a/b', ' x'])('%j names none', (name) =>
    expect(outcome('metadata_key_header', name)).toBe(
      `FEEDLOOM_METADATA_KEY_HEADER must be the name of a header (ASCII letters, digits and !#$%&'*+-.^_\`|~), not '${name}'`,
    ),
  );
});

describe('numbers in settings', () => {
  test.each([
    ['write_queue', '1', 1],
    ['write_queue', '10000000', 10_000_000],
    ['exploration_percent', '0', 0],
    ['exploration_percent', '100', 100],
    ['exploration_percent', '7.0', 7],
    ['overfetch_factor', '1.5', 1.5],
  ] as const)('%s may be %s', (name, text, value) => {
    expect(readSettings({ [SETTINGS[name].env]: text })[name]).toBe(value);
    expect(readSettings({}, { [name]: text })[name]).toBe(value);
  });

  test.each([
    ['write_queue', '0', 'FEEDLOOM_WRITE_QUEUE must be an integer from 1 to 10000000'],
    ['exploration_percent', '101', 'FEEDLOOM_EXPLORATION_PERCENT must be an integer from 0 to 100'],
    ['exploration_percent', '-1', 'FEEDLOOM_EXPLORATION_PERCENT must be an integer from 0 to 100'],
    ['exploration_percent', '7.5', 'FEEDLOOM_EXPLORATION_PERCENT must be an integer from 0 to 100'],
    // Numbers in range, written otherwise.
    ...['1e1', '0x10', '+5', '5 ', '1,0', '7.'].map(
      (text) =>
        [
          'exploration_percent',
          text,
          'FEEDLOOM_EXPLORATION_PERCENT must be an integer from 0 to 100 in plain digits',
        ] as const,
    ),
    ['geo_radius_km', '0', 'FEEDLOOM_GEO_RADIUS_KM must be a number above 0 and at most 9007199254740991'],
    [
      'geo_radius_km',
      '9'.repeat(400),
      'FEEDLOOM_GEO_RADIUS_KM must be a number above 0 and at most 9007199254740991',
    ],
    [
      'geo_radius_km',
      '1e3',
      'FEEDLOOM_GEO_RADIUS_KM must be a number above 0 and at most 9007199254740991 in plain digits',
    ],
    [
      'overfetch_factor',
      '99999999999999999999',
      'FEEDLOOM_OVERFETCH_FACTOR must be a number from 1 to 9007199254740991',
    ],
    ['plugins_strict', 'yes', 'FEEDLOOM_PLUGINS_STRICT must be true, false, 1 or 0'],
    ['network', 'café', 'FEEDLOOM_NETWORK must be 1 to 64 ASCII letters, digits, - or _'],
  ] as const)('%s may not be %s', (name, text, message) => {
    const { env, flag } = SETTINGS[name];
    const refusal = new StartupError('bad_setting', `${message}, not '${text}'`);
    expect(() => readSettings({ [env]: text })).toThrow(refusal);
    const of_flag = new StartupError('bad_setting', refusal.message.replace(env, flag));
    expect(() => readSettings({}, { [name]: text })).toThrow(of_flag);
    // A flag wins over what the environment says, also when that is wrong.
    expect(readSettings({ [env]: text }, { [name]: '1' })[name]).toBe(SETTINGS[name].parse('1', flag));
  });

  test.each([
    ['0.25', 0.25],
    ['.25', 0.25],
    ['1', 1],
  ])('a share may be %s', (text, value) => {
    expect(readSettings({ FEEDLOOM_AI_LABEL_THRESHOLD: text }).ai_label_threshold).toBe(value);
  });

  test.each([
    ['', 'not be empty'],
    ...['.', '1.', '1e-1', '0x1', 'NaN'].map((text) => [
      text,
      `be a number from 0 to 1 in plain digits, not '${text}'`,
    ]),
    ...['-0.5', '1.01'].map((text) => [text, `be a number from 0 to 1, not '${text}'`]),
  ])("a share may not be '%s'", (text, reason) => {
    const refusal = new StartupError('bad_setting', `--ai-label-threshold must ${reason}`);
    expect(() => readSettings({}, { ai_label_threshold: text })).toThrow(refusal);
  });
});

describe('a duration', () => {
  test.each([
    ['40m', 2400],
    ['.5h', 1800],
    ['49710d', 49_710 * 86_400],
  ])('may be %s', (text, seconds) => expect(duration(text, '--every')).toBe(seconds));

  test.each(['', '3', 'h', '3 h', '3H', '60min', '1e3s', '3w'])("'%s' is not of its form", (text) => {
    const allowed = 'a number of s, m, h or d in plain digits, such as 40m or 3h';
    const refusal = new StartupError('bad_setting', `--every must be ${allowed}, not '${text}'`);
    expect(() => duration(text, '--every')).toThrow(refusal);
  });

  test.each(['0h', '-3h', '49711d', `${'9'.repeat(400)}s`])('%s is none that makes sense', (text) => {
    const refusal = new StartupError(
      'bad_setting',
      `--every must be above 0 and at most 49710d, not '${text}'`,
    );
    expect(() => duration(text, '--every')).toThrow(refusal);
  });
});

test('the address of a database is not shown when it is refused', () => {
  expect(() => readSettings({ FEEDLOOM_DATABASE_URL: 'mysql://me:secret@host/db' })).toThrow(
    'FEEDLOOM_DATABASE_URL must start with postgres:// (its value is not shown)',
  );
});

test.each([
  'postgres://me:100%@host/db',
  'postgres://me:se#cret@host/db',
  'postgres://me:se/cret@host/db',
  'postgres://me@host:99999/db',
])('an address of a database that is no URL is refused with how to write one: %s', (address) => {
  const refused = (): unknown => {
    try {
      return readSettings({ FEEDLOOM_DATABASE_URL: address });
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toMatchObject({
    code: 'bad_setting',
    message: 'FEEDLOOM_DATABASE_URL is not a valid URL (its value is not shown)',
    remedy: expect.stringContaining('%23 stands for #'),
  });
});

test('variables that look like settings and are none are known', () => {
  const env = { FEEDLOOM_PORT: '1', FEEDLOOM_RETENTION: '3', PATH: '/bin', FEEDLOOM_: '' };
  expect(unknownVariables(env)).toEqual(['FEEDLOOM_RETENTION', 'FEEDLOOM_']);
});

describe('origins that may call', () => {
  test.each([
    ['*', ['*']],
    ['https://app.example', ['https://app.example']],
    ['https://app.example, http://localhost:5173', ['https://app.example', 'http://localhost:5173']],
    ['capacitor://localhost', ['capacitor://localhost']],
    ['http://[::1]:8080', ['http://[::1]:8080']],
  ])('%s is read', (text, wanted) => expect(origins(text, 'FEEDLOOM_CORS_ORIGINS')).toEqual(wanted));

  test.each([
    ['*, https://app.example', 'origins such as https://app.example, separated by commas, or * alone'],
    ['https://*.example', 'origins such as'],
    ['app.example', 'origins such as'],
    ['https://app.example/', 'origins such as'],
    ['https://app.example,', 'origins such as'],
    ['null', 'origins such as'],
    ['https://user@app.example', 'origins such as'],
    ['https://app.example:443', 'origins as browsers send them (https://app.example)'],
    ['https://App.example', 'origins as browsers send them (https://app.example)'],
    ['https://app.example:99999', 'origins as browsers send them'],
  ])('%s is refused with what is allowed', (text, allowed) => {
    expect(() => origins(text, 'FEEDLOOM_CORS_ORIGINS')).toThrow(`FEEDLOOM_CORS_ORIGINS must be ${allowed}`);
  });
});

describe('a prefix of paths', () => {
  test.each([
    ['/feedloom', '/feedloom'],
    ['/apps/feed.loom_1~2-3/', '/apps/feed.loom_1~2-3'],
  ])('%s is read', (text, wanted) => expect(pathPrefix(text, '--base-path')).toBe(wanted));

  test.each(['feedloom', '/', '//', '/a//b', '/a b', '/../a', '/a%2Fb', 'https://example.com', '/a?b', '/é'])(
    "'%s' is refused with what is allowed",
    (text) => {
      expect(() => pathPrefix(text, '--base-path')).toThrow(
        `--base-path must be a path such as /feedloom, of ASCII letters, digits and -._~ between its slashes, not '${text}'`,
      );
    },
  );
});

describe('an entry of --connect', () => {
  const entry = 'farcaster?url=http://127.0.0.1:3381&key_env=MY_KEY&backfill=2,3';

  test('takes an option whose name ends in _env from that environment variable', () => {
    const { connect } = readSettings({ MY_KEY: 'a+b&c' }, { connect: `bluesky ${entry}` });
    expect(connect?.[0]).toBe('bluesky');
    const [name, query] = connect?.[1].split('?') ?? [];
    expect(name).toBe('farcaster');
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      url: 'http://127.0.0.1:3381',
      key: 'a+b&c',
      backfill: '2,3',
    });
  });

  test('is refused if the variable is not set', () => {
    const refusal = new StartupError(
      'bad_setting',
      "FEEDLOOM_CONNECT: key_env names the variable 'MY_KEY', which is not set, nor is MY_KEY_FILE",
    );
    expect(() => readSettings({ FEEDLOOM_CONNECT: entry, MY_KEY: '' })).toThrow(refusal);
  });
});

describe('the settings of traces', () => {
  test('headers have percent-encoded values', () => {
    const text = 'authorization=Bearer%20abc=, x-scope = one';
    const headers = { authorization: 'Bearer abc=', 'x-scope': 'one' };
    expect(headerList(text, 'FEEDLOOM_OTLP_HEADERS')).toEqual(headers);
  });

  test.each(['secret', 'a=secret,', '=secret', 'a b=secret', 'a=%zz', 'a=%0asecret', 'a='])(
    "'%s' is refused as headers, and not shown",
    (text) => {
      expect(() => headerList(text, 'FEEDLOOM_OTLP_HEADERS')).toThrow(
        'FEEDLOOM_OTLP_HEADERS must be name=value, separated by commas, with percent-encoded values (its value is not shown)',
      );
    },
  );
});
