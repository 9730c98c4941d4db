import { parseWithDigits } from './json-digits.ts';
import { type JsonPath, membersIn, repeatedMembers } from './json-members.ts';
import { type ContainerBudget, JSON_CONTAINERS_MAX, NestingScanner } from './json-scanner.ts';

/** Texts up to this length are parsed at once, and longer ones in slices of it. A slice takes a millisecond. */
export const JSON_SLICE_LENGTH = 64 * 1024;

/** What a reader of JSON wants to know, or to have, beside the value. */
export interface JsonReading {
  /**
   * Gets the paths of members with a name that their object already has. Of an outermost array the first within each
   * element, else the first of all. Absent: the last of them counts, as in `JSON.parse`.
   */
  repeated?: JsonPath[];
  /**
   * What becomes of numbers with more digits than a number keeps. `noted`: `lostDigits` has their sources. `text`:
   * integers are their sources, and others are noted. Absent: digits are lost without notice.
   */
  long_numbers?: 'noted' | 'text';
}

/**
 * Parses JSON of an untrusted sender. The nesting of the text is checked before anything is parsed.
 *
 * For texts whose length is bounded: it blocks the event loop for about 20 ms per megabyte. See `parseLongJson`.
 * @throws SyntaxError; TooNested
 */
export function parseJson(
  text: string,
  budget: ContainerBudget = { left: JSON_CONTAINERS_MAX },
  reading: JsonReading = {},
): unknown {
  const scanner = new NestingScanner(text, JSON_SLICE_LENGTH, budget);
  scanner.scan(text.length);
  const value = parsedPart(text, scanner.long_numbers.length > 0, reading);
  const { repeated } = reading;
  if (repeated !== undefined && membersIn(value) !== scanner.members)
    for (const path of repeatedMembers(text)) if (path !== undefined) repeated.push(path);
  return value;
}

/** Parses a text without further checks. @param has_long_numbers whether numbers in it may lose digits */
export function parsedPart(text: string, has_long_numbers: boolean, { long_numbers }: JsonReading): unknown {
  if (!has_long_numbers || long_numbers === undefined) return JSON.parse(text);
  return parseWithDigits(text, long_numbers === 'text');
}
