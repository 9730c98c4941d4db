import { StartupError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { parseIsoTime } from './plugin/index.ts';
import { fileVariable, secretVariable } from './secret-variable.ts';

/**
 * Parses the text of a setting. `name` is its variable or flag.
 * @throws StartupError `bad_setting` that states what is allowed
 */
export type Parse<T> = (text: string, name: string) => T;

export const asIs: Parse<string> = (text) => text;

/** Parses an integer from `min` to `max`, both inclusive. */
export function integer(min: number, max: number): Parse<number> {
  return numeric(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
  );
}

export const positive = numeric(
  `a number above 0 and at most ${Number.MAX_SAFE_INTEGER}`,
  (value) => value > 0 && value <= Number.MAX_SAFE_INTEGER,
);

export const secondsUnlessOff = numeric(
  '0, or a number from 0.1 to 3600',
  (value) => value === 0 || (value >= 0.1 && value <= 3600),
);

export const factor = numeric(
  `a number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  (value) => value >= 1 && value <= Number.MAX_SAFE_INTEGER,
);

export const fraction = numeric('a number from 0 to 1', (value) => value >= 0 && value <= 1);

export const share = numeric('a number from 0 to less than 1', (value) => value >= 0 && value < 1);

/** `1e3`, `0x10` and `1,000` are rejected with a message about the notation. */
const PLAIN_NUMBER = /^-?(\d+(\.\d+)?|\.\d+)$/;

function numeric(allowed: string, isAllowed: (value: number) => boolean): Parse<number> {
  return (text, name) => {
    if (!PLAIN_NUMBER.test(text)) throw mustBe(name, `${allowed} in plain digits`, text);
    // Adding 0 turns -0 into 0.
    const value = Number(text) + 0;
    if (isAllowed(value)) return value;
    throw mustBe(name, allowed, text);
  };
}

function mustBe(name: string, allowed: string, text: string): StartupError {
  return new StartupError('bad_setting', `${name} must be ${allowed}, not '${text}'`);
}

/** For a text that may be a URL with a password, but has no scheme by which it would be recognised. */
function mustBeUrl(name: string, allowed: string, text: string): StartupError {
  if (text.includes('://')) return mustBe(name, allowed, text);
  return new StartupError('bad_setting', `${name} must be ${allowed} (its value is not shown)`);
}

/** A segment of a path. */
export const segment: Parse<string> = (text, name) => {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw mustBe(name, '1 to 64 ASCII letters, digits, - or _', text);
};

/** A prefix of paths, without a slash at its end. */
export const pathPrefix: Parse<string> = (text, name) => {
  const prefix = text.replace(/\/$/, '');
  const segments = prefix.slice(1).split('/');
  const is_plain = (part: string) => /^[A-Za-z0-9._~-]+$/.test(part) && part !== '.' && part !== '..';
  if (prefix.startsWith('/') && segments.every(is_plain)) return prefix;
  throw mustBe(name, 'a path such as /feedloom, of ASCII letters, digits and -._~ between its slashes', text);
};

/** A DID of a Bluesky account or service. */
export const did: Parse<string> = (text, name) => {
  if (/^did:(plc:[a-z0-9]{1,64}|web:[a-z0-9.-]{1,253}(%3A\d{1,5})?)$/.test(text)) return text;
  throw mustBe(name, 'a DID such as did:web:feeds.example.com or did:plc:z72i7hdynmk6r22z27h6tvur', text);
};

/** The address of a web server, without a slash at its end. */
export const webAddress: Parse<string> = (text, name) => {
  const url = URL.parse(text);
  const is_plain =
    url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (is_plain && (url.protocol === 'https:' || url.protocol === 'http:')) return text.replace(/\/+$/, '');
  throw mustBeUrl(name, 'an address such as https://plc.directory, without a query', text);
};

/** Origins as browsers send them, separated by commas, or `*` alone. */
export const origins: Parse<readonly string[]> = (text, name) => {
  const listed = text.split(',').map((part) => part.trim());
  for (const origin of listed) {
    if (origin === '*' && listed.length === 1) continue;
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(origin))
      throw mustBeUrl(name, 'origins such as https://app.example, separated by commas, or * alone', text);
    // Browsers leave the usual port out and write hosts in lower case, so another spelling would never match.
    const sent = /^https?:/.test(origin) ? URL.parse(origin)?.origin : origin;
    if (sent !== origin)
      throw mustBeUrl(name, `origins as browsers send them${sent === undefined ? '' : ` (${sent})`}`, origin);
  }
  return listed;
};

export const boolean: Parse<boolean> = (text, name) => {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw mustBe(name, 'true, false, 1 or 0', text);
};

/** The last second that can be stored, in ISO 8601. */
const LAST_SECOND = new Date(LIMITS.stored_seconds_max * 1000).toISOString().replace('.000', '');

/** A point in time: seconds since the epoch, or ISO 8601, in UTC unless it has a zone. */
export const time: Parse<number> = (text, name) => {
  const seconds = PLAIN_NUMBER.test(text) ? Number(text) : parseIsoTime(text);
  if (seconds === 'form')
    throw mustBe(name, 'epoch seconds in plain digits, or like 2024-02-29 or 2024-02-29T12:00:00Z', text);
  if (seconds === 'calendar')
    throw mustBe(name, 'an existing day, with a time up to 23:59:59 and an offset up to 23:59', text);
  if (seconds >= 0 && seconds <= LIMITS.stored_seconds_max) return seconds;
  throw mustBe(name, `from 1970-01-01T00:00:00Z to ${LAST_SECOND}`, text);
};

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_DAYS = Math.floor(LIMITS.stored_seconds_max / UNIT_SECONDS.d);

export const duration: Parse<number> = (text, name) => {
  const [amount, unit] = [text.slice(0, -1), text.slice(-1)];
  if (!PLAIN_NUMBER.test(amount) || !Object.hasOwn(UNIT_SECONDS, unit))
    throw mustBe(name, 'a number of s, m, h or d in plain digits, such as 40m or 3h', text);
  const seconds = Number(amount) * UNIT_SECONDS[unit];
  if (seconds > 0 && seconds <= LONGEST_DAYS * UNIT_SECONDS.d) return seconds;
  throw mustBe(name, `above 0 and at most ${LONGEST_DAYS}d`, text);
};

/** A key that clients send after the name of a scheme, separated by a blank. */
export const key = secret(/^[!-~]+$/, 'without blanks', LIMITS.secret_length_min);

const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;

/** A key of another service that is sent as a complete header value, which loses blanks at its ends. */
export const headerValue = secret(HEADER_VALUE, 'without blanks at its ends');

/** As `headerValue`, for a secret that the operator makes up. */
export const ownSecret = secret(HEADER_VALUE, 'without blanks at its ends', LIMITS.secret_length_min);

function secret(form: RegExp, blanks: string, length_min = 1): Parse<string> {
  const least = length_min > 1 ? `at least ${length_min} ` : '';
  return (text, name) => {
    if (form.test(text) && text.length >= length_min) return text;
    throw new StartupError(
      'bad_setting',
      `${name} must be ${least}printable ASCII characters ${blanks} (its value is not shown)`,
    );
  };
}

/** The name of a header. RFC 9110, section 5.6.2. */
export const headerName: Parse<string> = (text, name) => {
  if (/^[\w!#$%&'*+\-.^`|~]+$/.test(text)) return text;
  throw mustBe(name, "the name of a header (ASCII letters, digits and !#$%&'*+-.^_`|~)", text);
};

/**
 * Headers as `name=value`, separated by commas, with percent-encoded values: the form of OpenTelemetry's variables.
 * Values may be keys, so no error shows them.
 */
export const headerList: Parse<Readonly<Record<string, string>>> = (text, name) => {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const header = part.slice(0, Math.max(0, at)).trim();
    try {
      headers[headerName(header, name)] = headerValue(decodeURIComponent(part.slice(at + 1).trim()), name);
    } catch {
      throw new StartupError(
        'bad_setting',
        `${name} must be name=value, separated by commas, with percent-encoded values (its value is not shown)`,
      );
    }
  }
  return headers;
};

/** Whether an address and its percent-encoded parts can be parsed. */
function isReadable(address: string): boolean {
  try {
    const { username, password, pathname } = new URL(address);
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** Texts separated by blanks. */
export const words: Parse<readonly string[]> = (text) => text.trim().split(/\s+/);

/**
 * Replaces `<option>_env=NAME` in an entry such as `farcaster?key_env=NAME` by the option with the value of that
 * environment variable, or of the file that `NAME_FILE` names, so that no secret is in a command line.
 * @throws StartupError `bad_setting`
 */
export function withVariables(
  entry: string,
  env: Readonly<Record<string, string | undefined>>,
  place: string,
): string {
  const at = entry.indexOf('?');
  if (at < 0) return entry;
  const options = new URLSearchParams();
  for (const [option, value] of new URLSearchParams(entry.slice(at + 1))) {
    const secret = option.endsWith('_env') ? secretVariable(env, value) : value;
    if (secret === undefined)
      throw new StartupError(
        'bad_setting',
        `${place}: ${option} names the variable '${value}', which is not set, nor is ${fileVariable(value)}`,
      );
    options.append(option.replace(/_env$/, ''), secret);
  }
  return `${entry.slice(0, at)}?${options}`;
}

export const databaseUrl: Parse<string> = (text, name) => {
  const hidden = '(its value is not shown)';
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new StartupError('bad_setting', `${name} must start with postgres:// ${hidden}`);
  if (isReadable(text)) return text;
  throw new StartupError(
    'bad_setting',
    `${name} is not a valid URL ${hidden}`,
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE; in user and password %23 stands for #, %2F for /, %3F for ?, %25 for %',
  );
};

/** The root of a service, without a slash at its end. */
export const httpUrl: Parse<string> = (text, name) => {
  const url = URL.parse(text);
  const is_plain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (is_plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '');
  throw mustBeUrl(name, 'a URL such as http://10.0.0.5:3000, without user, query and fragment', text);
};

/** Parses one of a few words, compared exactly. */
export function oneOf<T extends string>(allowed: readonly T[]): Parse<T> {
  return (text, name) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw mustBe(name, `one of ${allowed.join(', ')}`, text);
  };
}
