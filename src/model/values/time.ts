/** Times of records: numbers of seconds since the Unix epoch, or ISO 8601 text, both to the millisecond. */
import { LIMITS } from '../../limits.ts';
import { epochSecondsProblem, parseIsoTime } from '../../plugin/times.ts';
import { expected, type ReadOptions, type Refusal, refuse } from './refusal.ts';

const FORM = 'seconds since 1970 as a number, or an ISO 8601 date or date-time as a string';

/** Units of numeric times in files of other software. */
export const PER_SECOND = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 } as const;
export type TimeUnit = keyof typeof PER_SECOND;
export const TIME_UNITS = Object.keys(PER_SECOND) as TimeUnit[];

/**
 * Parses a time to seconds since the Unix epoch, rounded to milliseconds and never -0.
 *
 * A date means its first instant in UTC. A date-time without a zone is UTC, never the machine's local time. Refused:
 * numeric strings, numbers in a finer unit, times before 1970 or beyond the limit of the store, and
 * days and hours that do not exist.
 */
export function seconds(value: unknown, { unit_advice = '' }: ReadOptions = {}): number | Refusal {
  if (typeof value === 'number') {
    const problem = Number.isFinite(value) ? epochSecondsProblem(value) : undefined;
    return problem === undefined ? fromNumber(value, unit_advice) : refuse(problem + unit_advice);
  }
  if (typeof value !== 'string') return expected(FORM, value);
  const parsed = parseIsoTime(value);
  if (parsed === 'form') return expected(FORM, value);
  if (parsed === 'calendar') return refuse(`this date or time of day does not exist; expected ${FORM}`);
  return fromNumber(parsed);
}

function fromNumber(value: number, unit_advice = ''): number | Refusal {
  if (!Number.isFinite(value)) return expected(FORM, value);
  if (value < 0) return refuse('expected a time not before 1970');
  const rounded = Math.round(value * 1000) / 1000;
  if (rounded > LIMITS.stored_seconds_max) {
    return refuse(`expected a time up to ${LIMITS.stored_seconds_max} (in the year 2106)${unit_advice}`);
  }
  return rounded + 0; // -0 becomes 0
}
