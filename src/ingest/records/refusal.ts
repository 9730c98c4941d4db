/**
 * What a check of one value answers: the value in its normal form, or a `Refusal` that says what is
 * allowed. A refusal holds paths relative to the value, so that no path is built for a value that passes.
 */
import { type Fault, pointerSegment } from '../../errors.ts';

/** Why a value was refused; the paths of `faults` are relative to that value ('' is the value itself). */
export class Refusal {
  constructor(readonly faults: readonly Fault[]) {}
}

/** The unit of times that are numbers. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** What is known of a record beside what it says. */
export interface ReadOptions {
  /** The unit of its times that are numbers; absent: seconds. */
  time_unit?: TimeUnit;
}

/** Turns an untrusted value into its normal form or refuses it. Pure, never throws. */
export type Check<T> = (value: unknown, options?: ReadOptions) => T | Refusal;

/** A value without the parts of it that cannot be kept; `warnings` say what is missing. */
export class Reduced<T> {
  constructor(
    readonly value: T,
    readonly warnings: readonly string[],
  ) {}
}

/** A value that cannot be kept, and without which the record that has it can. */
export class Dropped {
  /** @param warning says what was dropped */
  constructor(readonly warning: string) {}
}

/** As `Check`, for the field of a record: only what identifies something, or says when, refuses the record. */
export type FieldCheck<T> = (value: unknown, options?: ReadOptions) => T | Refusal | Reduced<T> | Dropped;

/** Faults that one list or object reports at most: a thousand bad entries need not be told one by one. */
export const FAULTS_PER_VALUE_MAX = 20;

/** Characters of an untrusted string or name that a message repeats. */
const SHOWN_LENGTH_MAX = 40;

export function refuse(message: string, path = ''): Refusal {
  return new Refusal([{ path, message }]);
}

/** Refuses `value`, saying what is allowed and what came instead, of a string at most `shown_max` characters. */
export function expected(allowed: string, value: unknown, shown_max = SHOWN_LENGTH_MAX): Refusal {
  return refuse(`expected ${allowed}; got ${show(value, shown_max)}`);
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  if (typeof name === 'number') return `/${name}`;
  return `/${pointerSegment(clip(name))}`;
}

/** At most the first 40 UTF-16 units of an untrusted text, never half a character. */
export function clip(text: string): string {
  return start(text, SHOWN_LENGTH_MAX);
}

function start(text: string, length_max: number): string {
  if (text.length <= length_max) return text.toWellFormed();
  const cut = text.slice(0, length_max);
  const last = cut.charCodeAt(length_max - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return `${(halved ? cut.slice(0, -1) : cut).toWellFormed()}…`;
}

function show(value: unknown, length_max: number): string {
  if (typeof value === 'string') return JSON.stringify(start(value, length_max));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : typeof value;
}

/**
 * Whether `value` is what a JSON object parses to: no array, no instance of a class. Its own keys may be
 * anything, `__proto__` too, which is then an ordinary own key.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
