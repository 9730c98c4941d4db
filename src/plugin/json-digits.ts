/** Numbers in JSON that have more digits than a number in memory keeps. */

/** Digits that every decimal number keeps, … */
const DIGITS_KEPT = 15;
/** … and that the longest has as a program prints it. */
const DIGITS_PRINTED_MAX = 17;
/** Numbers up to these lengths keep their digits. A decimal of the length has a point, and mostly `0` before it. */
export const INTEGER_LENGTH_KEPT = DIGITS_KEPT;
export const DECIMAL_LENGTH_KEPT = DIGITS_PRINTED_MAX + 2;

const POINT = 0x2e;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;

/**
 * Whether a number in JSON keeps its digits when it is parsed. Decimals as programs print them do, although their last
 * digit may not be exact.
 */
export function keepsDigits(source: string): boolean {
  let significant = 0;
  let zeros = 0;
  let is_integer = true;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code >= ONE && code <= NINE) {
      significant += zeros + 1;
      zeros = 0;
    } else if (code === ZERO) {
      // Leading zeros count never, and those at the end are not reached.
      if (significant > 0) zeros++;
    } else if (code === POINT) is_integer = false;
    else if (at > 0) {
      // An exponent.
      is_integer = false;
      break;
    }
  }
  if (significant <= DIGITS_KEPT) return true;
  return is_integer ? String(Number(source)) === source : significant <= DIGITS_PRINTED_MAX;
}

declare global {
  interface JSON {
    /** The reviver gets the source of a number, a text, true, false or null. */
    parse(
      text: string,
      reviver: (this: object, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** The sources of numbers that lost digits, by the object or array that has them. */
const sources = new WeakMap<object, Map<string, string>>();

/** The sources of numbers in an object or array that lost digits when it was parsed, by name or index. */
export function lostDigits(holder: object): ReadonlyMap<string, string> {
  return sources.get(holder) ?? NOTHING;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Parses JSON and notes numbers that lose digits, for `lostDigits`. @param integers_as_text keeps integers as texts */
export function parseWithDigits(text: string, integers_as_text: boolean): unknown {
  return JSON.parse(text, function (key, value, { source }) {
    if (typeof value !== 'number' || source === undefined || keepsDigits(source)) return value;
    if (integers_as_text && /^-?\d+$/.test(source)) return source;
    noteLostDigits(this, key, source);
    return value;
  });
}

export function noteLostDigits(holder: object, name: string, source: string): void {
  const noted = sources.get(holder);
  if (noted === undefined) sources.set(holder, new Map([[name, source]]));
  else noted.set(name, source);
}
