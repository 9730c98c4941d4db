/** Checks of single values that several kinds of records share: strings, identifiers, counts, lists. */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import {
  type Check,
  Dropped,
  expected,
  FAULTS_PER_VALUE_MAX,
  type FieldCheck,
  mapped,
  pointerStep,
  type ReadOptions,
  Reduced,
  Refusal,
  refuse,
  WARNINGS_MAX,
  warningAbout,
} from './refusal.ts';

/** Maximum characters of a channel, which is often a URL. */
export const CHANNEL_LENGTH_MAX = 2_048;
export const LINK_LENGTH_MAX = 4_096;
/** Maximum characters of the name of an AI label or a publication type. */
export const NAME_LENGTH_MAX = 64;
/** Maximum characters of the title of a link or of the description of an image. */
export const TITLE_LENGTH_MAX = 4_096;
export const DISPLAY_NAME_LENGTH_MAX = 256;

const IDENTIFIER_FORM = `a string of 1 to ${LIMITS.id_length_max} characters or an integer`;

/**
 * Whether `text` has at most `max` characters.
 *
 * A character is a Unicode code point, as in JSON Schema, so an emoji counts once. O(1) unless the length is within a
 * factor of two of the limit.
 */
export function lengthWithin(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let characters = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const follows = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && follows >= 0xdc00 && follows <= 0xdfff) index++;
    characters++;
  }
  return characters <= max;
}

function opaqueString(value: unknown, length_max: number, form: string): string | Refusal {
  if (typeof value !== 'string' || value === '') return expected(form, value);
  if (!lengthWithin(value, length_max)) return refuse(`expected ${form}; this one is longer`);
  // Databases do not preserve these, so two identifiers could become one.
  if (value.includes('\0') || !value.isWellFormed()) {
    return refuse(`expected ${form} without NUL characters and unpaired surrogates`);
  }
  return value;
}

/** Checks a string that is only compared, such as a channel or the name of a label. */
export function opaque(length_max: number): Check<string> {
  const form = `a string of 1 to ${length_max} characters`;
  return (value) => opaqueString(value, length_max, form);
}

/**
 * Checks an identifier: a string, or an integer, which becomes its decimal string.
 *
 * Strings are never trimmed, parsed or case-folded. An integer beyond 2^53-1 has already lost digits, so it is refused.
 */
export function identifier(value: unknown): string | Refusal {
  if (typeof value !== 'number') return opaqueString(value, LIMITS.id_length_max, IDENTIFIER_FORM);
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isInteger(value)) return expected(IDENTIFIER_FORM, value);
  return refuse(`integers beyond ${Number.MAX_SAFE_INTEGER} have lost digits; send it as a string`);
}

/** Checks text for readers, which may be empty. Unpaired surrogates (a cut emoji) become U+FFFD. */
export function freeText(length_max: number): Check<string> {
  return (value) => {
    if (typeof value !== 'string') return expected('a string', value);
    if (!lengthWithin(value, length_max)) return refuse(`expected at most ${length_max} characters`);
    return value.toWellFormed();
  };
}

export function cutText(length_max: number): FieldCheck<string> {
  const warning = `characters after the first ${grouped(length_max)} were dropped`;
  return (value) => {
    if (typeof value !== 'string') return expected('a string', value);
    const text = value.toWellFormed();
    if (lengthWithin(text, length_max)) return text;
    return new Reduced(startOf(text, length_max), [warningAbout(warning, value)]);
  };
}

function startOf(text: string, characters: number): string {
  let end = 0;
  for (let left = characters; left > 0 && end < text.length; left--) {
    const unit = text.charCodeAt(end);
    end += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return text.slice(0, end);
}

export function anyText(value: unknown): string | Refusal {
  return typeof value === 'string' ? value : expected('a string', value);
}

export function flag(value: unknown): boolean | Refusal {
  return typeof value === 'boolean' ? value : expected('true or false', value);
}

export function numberWithin(min: number, max: number, what: 'a number' | 'an integer'): Check<number> {
  const form = `${what} from ${min} to ${max}`;
  const is_integer = what === 'an integer';
  return (value) => {
    const fits = typeof value === 'number' && value >= min && value <= max;
    if (!fits || (is_integer && !Number.isInteger(value))) return expected(form, value);
    return value + 0; // -0 becomes 0
  };
}

export const count = numberWithin(0, Number.MAX_SAFE_INTEGER, 'an integer');

/** Checks for one of a few words, compared exactly. */
export function oneOf<const T extends string>(words: readonly T[]): Check<T> {
  const allowed = new Map<unknown, T>(words.map((word) => [word, word]));
  const form = `one of ${words.join(', ')}`;
  return (value) => allowed.get(value) ?? expected(form, value);
}

const address = opaque(LIMITS.id_length_max);

/** Checks a wallet address of any chain. Returns it in lower case. */
export function walletAddress(value: unknown): string | Refusal {
  const checked = address(value);
  return checked instanceof Refusal ? checked : checked.toLowerCase();
}

/**
 * Accepts `''` as "none", which removes a stored value; `null` (not given) cannot.
 *
 * The field is then present with the value `undefined`, so that `{ ...stored, ...given }` removes it.
 */
export function clearable<T>(check: Check<T>): Check<T | undefined>;
export function clearable<T>(check: FieldCheck<T>): FieldCheck<T | undefined>;
export function clearable<T>(check: FieldCheck<T>): FieldCheck<T | undefined> {
  return (value, options) => (value === '' ? undefined : check(value, options));
}

export const TOO_MANY = `entries after the first ${grouped(LIMITS.list_length_max)} were dropped`;

/** Checks a list whose entries pass `entry` or are dropped. Keeps order and duplicates, up to the maximum length. */
export function listOf<T>(entry: FieldCheck<T>): FieldCheck<T[]> {
  return (value, options) => {
    if (!Array.isArray(value)) return expected('an array', value);
    const is_long = value.length > LIMITS.list_length_max;
    const warnings = new Set<string>();
    const kept = is_long ? value.slice(0, LIMITS.list_length_max) : value;
    const entries = entriesOf(kept, entry, warnings, options);
    if (entries instanceof Refusal) return entries;
    if (is_long) warnings.add(TOO_MANY);
    return warnings.size > 0 ? new Reduced(entries, [...warnings]) : entries;
  };
}

/** Checks a list with a valid number of valid entries. @param entries what the fault calls them */
export function limitedList<T>(
  entry: FieldCheck<T>,
  min: number,
  max: number,
  entries: string,
): FieldCheck<T[]> {
  const form = `a list of ${min > 0 ? `${min} to` : 'at most'} ${grouped(max)} ${entries}`;
  return (value, options) => {
    if (!Array.isArray(value)) return expected(form, value);
    if (value.length < min || value.length > max)
      return refuse(`expected ${form}; got ${grouped(value.length)}`);
    const warnings = new Set<string>();
    const checked = entriesOf(value, entry, warnings, options);
    return warnings.size > 0 && Array.isArray(checked) ? new Reduced(checked, [...warnings]) : checked;
  };
}

/** Checks the entries of a list, with the path of each fault. @param warnings gets those of the entries */
function entriesOf<T>(
  values: readonly unknown[],
  entry: FieldCheck<T>,
  warnings: Set<string>,
  options: ReadOptions | undefined,
): T[] | Refusal {
  const entries: T[] = [];
  const faults: Fault[] = [];
  for (let index = 0; index < values.length && faults.length < FAULTS_PER_VALUE_MAX; index++) {
    const checked = entry(values[index], options);
    if (checked instanceof Dropped) warn(warnings, checked.warning);
    else if (checked instanceof Refusal) {
      for (const { path, message } of checked.faults)
        faults.push({ path: pointerStep(index) + path, message });
    } else if (checked instanceof Reduced) {
      entries.push(checked.value);
      for (const warning of checked.warnings) warn(warnings, warning);
    } else entries.push(checked);
  }
  return faults.length > 0 ? new Refusal(faults) : entries;
}

/** Adds a warning, unless there are more than an answer lists. */
function warn(warnings: Set<string>, warning: string): void {
  if (warnings.size < WARNINGS_MAX) warnings.add(warning);
}

export function setOf(entry: FieldCheck<string>): FieldCheck<string[]> {
  const list = listOf(entry);
  return (value, options) => {
    const distinct = (entries: string[]) => (entries.length > 1 ? [...new Set(entries)] : entries);
    return mapped(list(value, options), distinct);
  };
}
