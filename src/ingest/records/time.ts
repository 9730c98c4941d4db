/** Times of records: seconds since the Unix epoch, or ISO 8601 text, both to the millisecond. */
import { LIMITS } from '../../limits.ts';
import { expected, type Refusal, refuse } from './refusal.ts';

const FORM = 'seconds since 1970 as a number, or an ISO 8601 date or date-time as a string';

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Seconds since the Unix epoch, rounded to milliseconds and never -0. A date is its first instant in UTC; a
 * date-time without a zone is UTC, never the machine's local time. Refused: numeric strings (send a number),
 * milliseconds, times before 1970 or beyond what the store holds, days and hours that do not exist.
 */
export function seconds(value: unknown): number | Refusal {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return expected(FORM, value);
  const parts = ISO_8601.exec(value);
  if (parts === null) return expected(FORM, value);
  const parsed = fromParts(parts);
  return parsed === undefined
    ? refuse(`this date or time of day does not exist; expected ${FORM}`)
    : fromNumber(parsed);
}

function fromNumber(value: number): number | Refusal {
  if (!Number.isFinite(value)) return expected(FORM, value);
  if (value < 0) return refuse('expected a time not before 1970');
  if (value > LIMITS.epoch_seconds_max) return refuse('expected seconds, this looks like milliseconds');
  const rounded = Math.round(value * 1000) / 1000;
  if (rounded > LIMITS.stored_seconds_max) {
    return refuse(`expected a time up to ${LIMITS.stored_seconds_max} (in the year 2106)`);
  }
  return rounded + 0; // -0 becomes 0
}

/** Seconds of a matched ISO 8601 text; undefined when there is no such day or time of day. */
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
  if (hour > 23 || minute > 59 || second > 59 || zone_hours > 23 || zone_minutes > 59) return undefined;
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; anything before 1969 is refused as negative anyway.
  if (year < 1969) return -1;
  const ahead = (parts[8] === '-' ? -1 : 1) * (zone_hours * 3600 + zone_minutes * 60);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 + fraction - ahead;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
