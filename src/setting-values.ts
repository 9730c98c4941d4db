import { StartupError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { parseIsoTime } from './plugin/index.ts';

/**
 * The value of what was typed for `name`, a variable or a flag.
 * @throws StartupError `bad_setting`, saying what is allowed
 */
export type Parse<T> = (text: string, name: string) => T;

export const asIs: Parse<string> = (text) => text;

export function integer(min: number, max: number): Parse<number> {
  return numeric(`an integer from ${min} to ${max}`, /^\d+$/, (value) => value >= min && value <= max);
}

export const positive = decimal('a number above 0', (value) => value > 0);

export const factor = decimal(
  'a number of at least 1',
  (value) => value >= 1 && value <= Number.MAX_SAFE_INTEGER,
);

export const fraction = decimal('a number from 0 to 1', (value) => value <= 1);

export const share = decimal('a number from 0 to less than 1', (value) => value < 1);

function decimal(allowed: string, isAllowed: (value: number) => boolean): Parse<number> {
  return numeric(allowed, /^(\d+(\.\d+)?|\.\d+)$/, isAllowed);
}

function numeric(allowed: string, form: RegExp, isAllowed: (value: number) => boolean): Parse<number> {
  return (text, name) => {
    const value = Number(text);
    if (form.test(text) && isAllowed(value)) return value;
    throw mustBe(name, allowed, text);
  };
}

function mustBe(name: string, allowed: string, text: string): StartupError {
  return new StartupError('bad_setting', `${name} must be ${allowed}, not '${text}'`);
}

/** A segment of a path. */
export const segment: Parse<string> = (text, name) => {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw mustBe(name, '1 to 64 letters, digits, - or _', text);
};

export const boolean: Parse<boolean> = (text, name) => {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw mustBe(name, 'true or false', text);
};

/** The last second that can be stored, as a reader writes it. */
const LAST_SECOND = new Date(LIMITS.stored_seconds_max * 1000).toISOString().replace('.000', '');

/** A point in time: seconds since the epoch, or ISO 8601, in UTC unless it names a zone. */
export const time: Parse<number> = (text, name) => {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseIsoTime(text);
  if (typeof seconds !== 'number') throw mustBe(name, 'epoch seconds or an ISO 8601 time', text);
  if (seconds >= 0 && seconds <= LIMITS.stored_seconds_max) return seconds;
  throw mustBe(name, `from 1970-01-01T00:00:00Z to ${LAST_SECOND}`, text);
};

/** A key that clients send after the name of a scheme, where blanks would separate. */
export const key = secret(/^[!-~]+$/, 'without blanks');

/** A key that is sent as the whole value of a header, which loses the blanks at its ends on the way. */
export const headerValue = secret(/^[!-~]([ -~]*[!-~])?$/, 'without blanks at its ends');

function secret(form: RegExp, blanks: string): Parse<string> {
  return (text, name) => {
    if (form.test(text)) return text;
    throw new StartupError(
      'bad_setting',
      `${name} must be printable ASCII characters ${blanks} (its value is not shown)`,
    );
  };
}

/** The name of a header, RFC 9110 5.6.2. */
export const headerName: Parse<string> = (text, name) => {
  if (/^[\w!#$%&'*+\-.^`|~]+$/.test(text)) return text;
  throw mustBe(name, "the name of a header (letters, digits and !#$%&'*+-.^_`|~)", text);
};

/** Whether an address and what is percent-encoded in it can be read. */
function isReadable(address: string): boolean {
  try {
    const { username, password, pathname } = new URL(address);
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

export const databaseUrl: Parse<string> = (text, name) => {
  const hidden = '(its value is not shown)';
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new StartupError('bad_setting', `${name} must start with postgres:// ${hidden}`);
  if (isReadable(text)) return text;
  throw new StartupError(
    'bad_setting',
    `${name} is no URL that can be read ${hidden}`,
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE; in user and password %23 stands for #, %2F for /, %3F for ?, %25 for %',
  );
};

export function oneOf<T extends string>(allowed: readonly T[]): Parse<T> {
  return (text, name) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw mustBe(name, `one of ${allowed.join(', ')}`, text);
  };
}
