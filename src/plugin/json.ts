import { nextTurn } from './turn.ts';

/** Texts up to this length are parsed at once, and longer ones in slices of it. A slice takes a millisecond. */
export const JSON_SLICE_LENGTH = 64 * 1024;
/** The number of characters that are scanned per turn of the event loop. */
const SCANNED_LENGTH = 2 * JSON_SLICE_LENGTH;

/**
 * Parses JSON of an untrusted sender. The nesting of the text is checked before anything is parsed.
 *
 * For texts whose length is bounded: it blocks the event loop for about 20 ms per megabyte. See `parseLongJson`.
 * @throws SyntaxError; TooNested
 */
export function parseJson(text: string, budget: ContainerBudget = { left: JSON_CONTAINERS_MAX }): unknown {
  new NestingScanner(text, JSON_SLICE_LENGTH, budget).scan(text.length);
  return JSON.parse(text);
}

/**
 * Parses JSON of an untrusted sender like `parseJson`. Long texts are parsed in slices, and the event loop runs between
 * them.
 * @param budget for texts that are bounded together
 * @throws SyntaxError; TooNested
 */
export async function parseLongJson(
  text: string,
  budget: ContainerBudget = { left: JSON_CONTAINERS_MAX },
): Promise<unknown> {
  if (text.length <= JSON_SLICE_LENGTH) return parseJson(text, budget);
  const scanner = new NestingScanner(text, JSON_SLICE_LENGTH, budget);
  while (scanner.at < text.length) {
    scanner.scan(scanner.at + SCANNED_LENGTH);
    await nextTurn();
  }
  const { root } = scanner;
  // A text, a number, or no JSON.
  if (root === undefined) return JSON.parse(text);
  JSON.parse(`${text.slice(0, root.start)}null${text.slice(root.end)}`);
  return built(text, root);
}

async function built(text: string, { is_object, parts }: LongContainer): Promise<unknown> {
  const result = is_object ? {} : [];
  for (const { start, end, long } of parts) {
    // A long container is parsed apart, and what is around it with null in its place.
    const content =
      long === undefined
        ? text.slice(start, end)
        : `${text.slice(start, long.start)}null${text.slice(long.end, end)}`;
    const values = JSON.parse(is_object ? `{${content}}` : `[${content}]`);
    const names = is_object ? Object.keys(values) : values;
    // Between two commas, or before the end.
    if (names.length === 0 && parts.length > 1) throw new SyntaxError('JSON Parse error: Unexpected comma');
    const inner = long && (await built(text, long));
    if (Array.isArray(result)) for (const value of values) result.push(long ? inner : value);
    else for (const name of names) define(result, name, long ? inner : values[name]);
    await nextTurn();
  }
  return result;
}

/** Sets a member as `JSON.parse` does. An assignment to `__proto__` would not create one. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Maximum number of levels of objects and arrays in JSON of untrusted senders. */
export const JSON_LEVELS_MAX = 64;
/** Maximum number of objects and arrays in one text. Each takes tens of bytes, while two characters make one. */
export const JSON_CONTAINERS_MAX = 500_000;

/** The number of objects and arrays that one or several texts may still have. */
export interface ContainerBudget {
  left: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const BRACKET_END = 0x5d;
const BRACE_END = 0x7d;

/** The text has more levels, or more objects and arrays, than allowed. The message completes "it has …". */
export class TooNested extends Error {}

/** A range of the text with whole elements or members, separated by commas. */
export interface Part {
  start: number;
  end: number;
  long?: LongContainer;
}

/** An object or array that is longer than a slice. */
export interface LongContainer {
  is_object: boolean;
  start: number;
  end: number;
  parts: Part[];
}

/** A container that is being scanned. */
interface Open {
  is_object: boolean;
  start: number;
  /** Start of the elements that are in no part yet, and of the last of them. */
  rest: number;
  element: number;
  /** The long container in the last element. */
  long: LongContainer | undefined;
  parts: Part[];
}

/**
 * Finds in one pass how objects and arrays of a JSON text are nested, and where long ones can be split.
 *
 * It does not validate the rest of the text: the caller parses each part, and then the whole is valid too.
 */
export class NestingScanner {
  /** The position to scan next. */
  at = 0;
  /** The outermost object or array. Undefined before its end, and if the text has none. */
  root: LongContainer | undefined;
  /** The number of containers that are open at the position, outermost first in `levels`, which are used again. */
  private depth = 0;
  private readonly levels: Open[] = [];

  constructor(
    private readonly text: string,
    private readonly slice_length: number,
    private readonly budget: ContainerBudget,
  ) {}

  /**
   * Scans on, at least to a position or to the end of the text. O(characters).
   * @throws TooNested; SyntaxError for brackets that do not match
   */
  scan(until: number): void {
    const { text } = this;
    const end = Math.min(until, text.length);
    let { at } = this;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = endOfString(text, at);
      else if (code === COMMA) this.comma(at);
      else if (code === BRACE || code === BRACKET) this.begin(at, code === BRACE);
      else if (code === BRACE_END || code === BRACKET_END) this.end(at, code === BRACE_END);
    }
    this.at = at;
    if (at >= text.length && this.depth > 0) throw new SyntaxError('JSON Parse error: Unexpected EOF');
  }

  private comma(at: number): void {
    if (this.depth > 0) endElement(this.levels[this.depth - 1], at, this.slice_length);
  }

  private begin(at: number, is_object: boolean): void {
    if (this.depth === JSON_LEVELS_MAX)
      throw new TooNested(`more than ${JSON_LEVELS_MAX} levels of objects and arrays`);
    if (--this.budget.left < 0) throw new TooNested(`more than ${JSON_CONTAINERS_MAX} objects and arrays`);
    const level = this.levels[this.depth++];
    if (level === undefined) {
      this.levels.push({ is_object, start: at, rest: at + 1, element: at + 1, long: undefined, parts: [] });
      return;
    }
    level.is_object = is_object;
    level.start = at;
    level.rest = at + 1;
    level.element = at + 1;
  }

  private end(at: number, is_object: boolean): void {
    if (this.depth === 0 || this.root !== undefined || this.levels[this.depth - 1].is_object !== is_object)
      throw new SyntaxError(`JSON Parse error: Unexpected token '${this.text[at]}'`);
    const closed = this.levels[--this.depth];
    const is_outermost = this.depth === 0;
    if (!is_outermost && at - closed.start < this.slice_length) return;
    endElement(closed, at, this.slice_length);
    // Nothing is left if the last element made a part. A blank rest is the caller's to refuse.
    if (closed.rest <= at) closed.parts.push({ start: closed.rest, end: at });
    const long = { is_object, start: closed.start, end: at + 1, parts: closed.parts };
    closed.parts = [];
    if (is_outermost) this.root = long;
    else this.levels[this.depth - 1].long = long;
  }
}

/** Ends an element at its comma or at the end of its container, and makes a part if enough elements are in none. */
function endElement(open: Open, at: number, slice_length: number): void {
  const { rest, element, long, parts } = open;
  open.element = at + 1;
  if (long === undefined && at - rest < slice_length) return;
  open.rest = at + 1;
  open.long = undefined;
  if (long === undefined) {
    parts.push({ start: rest, end: at });
    return;
  }
  if (element > rest) parts.push({ start: rest, end: element - 1 });
  parts.push({ start: element, end: at, long });
}

/** Position of the quote that ends the string starting at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}
