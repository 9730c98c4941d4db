import { InvalidOptions } from './invalid-options.ts';

/**
 * A date, or a date and a time of day as databases and programming languages write them.
 *
 * Separators: `T`, `t` or one blank. Zones: `Z`, `z`, ` UTC`, ` GMT`, `+02`, `+0200`, `+02:00` or none.
 */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]| UTC| GMT|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

const SECONDS_OF_DAY = 86_400;

/** 146,097 days, the period of the Gregorian calendar. */
const SECONDS_OF_400_YEARS = 146_097 * SECONDS_OF_DAY;

const LEAP_SECOND = 60;

/**
 * Parses an ISO 8601 date or date-time to seconds since the Unix epoch, negative before 1970.
 *
 * A date means its first instant in UTC. A date-time without a zone is UTC. A leap second becomes the next second.
 * Returns `'form'` for malformed text and `'calendar'` for a day or time of day that does not exist.
 */
export function parseIsoTime(text: string): number | 'form' | 'calendar' {
  const parts = ISO_8601.exec(text);
  return parts === null ? 'form' : (fromParts(parts) ?? 'calendar');
}

/** Seconds of an ISO 8601 text, which without a zone is UTC, whatever the machine's time zone. Undefined for anything else. */
export function isoSecondsIn(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? parseIsoTime(value) : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

function fromParts(parts: RegExpExecArray): number | undefined {
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[4] ?? 0);
  const minute = Number(parts[5] ?? 0);
  const second = Number(parts[6] ?? 0);
  const fraction = parts[7] === undefined ? 0 : Number(`0.${parts[7]}`);
  const zone_hours = Number(parts[9] ?? 0);
  const zone_minutes = Number(parts[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > LEAP_SECOND || zone_hours > 23 || zone_minutes > 59)
    return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999. The calendar repeats after 400 years, so these are shifted.
  const later = year < 100 ? 1 : 0;
  const whole = Date.UTC(year + later * 400, month - 1, day, hour, minute, second) / 1000;
  const ahead = (parts[8] === '-' ? -1 : 1) * (zone_hours * 3600 + zone_minutes * 60);
  const utc = whole - ahead;
  // A leap second is the last second of a day in UTC.
  if (second === LEAP_SECOND && utc % SECONDS_OF_DAY !== 0) return undefined;
  return utc - later * SECONDS_OF_400_YEARS + fraction;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Maximum number of seconds, which is in the year 5138. A greater number must have another unit. */
const EPOCH_SECONDS_MAX = 1e11;

/** Units that are mistaken for seconds, each with an upper bound of the current time in that unit. */
const FINER_UNITS: readonly (readonly [below: number, name: string])[] = [
  [1e14, 'milliseconds'],
  [1e17, 'microseconds'],
  [1e20, 'nanoseconds'],
];

/** Describes why a number of epoch seconds is too large. Undefined if it is not. */
export function epochSecondsProblem(seconds: number): string | undefined {
  if (seconds <= EPOCH_SECONDS_MAX) return undefined;
  const [, unit] = FINER_UNITS.find(([below]) => seconds < below) ?? [];
  const problem = unit === undefined ? `this is more than ${EPOCH_SECONDS_MAX}` : `this looks like ${unit}`;
  return `expected seconds, ${problem}`;
}

const SECONDS_OF = { days: SECONDS_OF_DAY, hours: 3_600 };
const RELATIVE_TIME = /^(days|hours)_ago:(\d{1,15})$/;

/** The forms that `parseMoment` accepts, in words. */
export const MOMENT_FORMS = 'days_ago:<n>, hours_ago:<n>, seconds since the epoch, or an ISO 8601 time';

/**
 * Parses a moment and returns a function that gives it in seconds for a request.
 *
 * Accepts `days_ago:<n>`, `hours_ago:<n>`, epoch seconds as a number or text, or ISO 8601, which may be before 1970
 * (negative). Only the first two depend on the request's time.
 * @throws InvalidOptions
 */
export function parseMoment(value: string | number): (request: { readonly now: number }) => number {
  const relative = typeof value === 'string' ? RELATIVE_TIME.exec(value) : null;
  if (relative !== null) {
    const ago = Number(relative[2]) * SECONDS_OF[relative[1] === 'days' ? 'days' : 'hours'];
    return (request) => request.now - ago;
  }
  const numeric = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value);
  const seconds = numeric ? Number(value) : parseIsoTime(value);
  if (seconds === 'calendar') throw new InvalidOptions('this date or time of day does not exist');
  if (seconds === 'form' || !Number.isFinite(seconds) || (numeric && seconds < 0)) {
    throw new InvalidOptions(`must be ${MOMENT_FORMS}`);
  }
  const problem = numeric ? epochSecondsProblem(seconds) : undefined;
  if (problem !== undefined) throw new InvalidOptions(problem);
  return () => seconds;
}

/** Whether a moment is relative to the request's time. */
export function isRelativeMoment(value: string | number): boolean {
  return typeof value === 'string' && RELATIVE_TIME.test(value);
}
