import { StartupError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { parseIsoTime } from './plugin/index.ts';

/** Values of settings, out of what was typed. Each refuses with `bad_setting`, saying what is allowed. */

export function integer(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new StartupError(
        'bad_setting',
        `${name} must be an integer from ${min} to ${max}, not '${text}'`,
      );
    }
    return value;
  };
}

export function positive(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) {
      throw new StartupError('bad_setting', `${name} must be a number above 0, not '${text}'`);
    }
    return value;
  };
}

export function factor(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < 1 || value > 10) {
      throw new StartupError('bad_setting', `${name} must be a number from 1 to 10, not '${text}'`);
    }
    return value;
  };
}

export function fraction(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value > 1) {
      throw new StartupError('bad_setting', `${name} must be a number from 0 to 1, not '${text}'`);
    }
    return value;
  };
}

export function segment(name: string): (text: string) => string {
  return (text) => {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
      throw new StartupError('bad_setting', `${name} must be 1 to 64 letters, digits, - or _, not '${text}'`);
    }
    return text;
  };
}

export function boolean(name: string): (text: string) => boolean {
  return (text) => {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new StartupError('bad_setting', `${name} must be true or false, not '${text}'`);
  };
}

/** The last second that can be stored, as a reader writes it. */
const LAST_SECOND = new Date(LIMITS.stored_seconds_max * 1000).toISOString().replace('.000', '');

/** A point in time: seconds since the epoch, or ISO 8601, in UTC unless it names a zone. */
export function time(name: string): (text: string) => number {
  return (text) => {
    const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseIsoTime(text);
    if (typeof seconds !== 'number') {
      throw new StartupError(
        'bad_setting',
        `${name} must be epoch seconds or an ISO 8601 time, not '${text}'`,
      );
    }
    if (seconds < 0 || seconds > LIMITS.stored_seconds_max) {
      throw new StartupError(
        'bad_setting',
        `${name} must be from 1970-01-01T00:00:00Z to ${LAST_SECOND}, not '${text}'`,
      );
    }
    return seconds;
  };
}

/** A key that clients send after the name of a scheme, where blanks would separate. */
export function key(name: string): (text: string) => string {
  return secret(name, /^[!-~]+$/, 'without blanks');
}

/** A key that is sent as the whole value of a header, which loses the blanks at its ends on the way. */
export function headerValue(name: string): (text: string) => string {
  return secret(name, /^[!-~]([ -~]*[!-~])?$/, 'without blanks at its ends');
}

function secret(name: string, form: RegExp, blanks: string): (text: string) => string {
  return (text) => {
    if (form.test(text)) return text;
    throw new StartupError(
      'bad_setting',
      `${name} must be printable ASCII characters ${blanks} (its value is not shown)`,
    );
  };
}

/** The name of a header, RFC 9110 5.6.2. */
export function headerName(name: string): (text: string) => string {
  return (text) => {
    if (/^[\w!#$%&'*+\-.^`|~]+$/.test(text)) return text;
    throw new StartupError(
      'bad_setting',
      `${name} must be the name of a header (letters, digits and !#$%&'*+-.^_\`|~), not '${text}'`,
    );
  };
}

export function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new StartupError('bad_setting', 'FEEDLOOM_DATABASE_URL must start with postgres://');
  }
  return text;
}

export function oneOf<T extends string>(name: string, allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new StartupError('bad_setting', `${name} must be one of ${allowed.join(', ')}, not '${text}'`);
  };
}
