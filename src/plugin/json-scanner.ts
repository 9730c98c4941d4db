import { DECIMAL_LENGTH_KEPT, INTEGER_LENGTH_KEPT, keepsDigits } from './json-digits.ts';
import { endOfString } from './json-members.ts';

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
const COLON = 0x3a;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
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
  /** Number of members of all objects. */
  members = 0;
  /** Positions of numbers that may have more digits than a number keeps. */
  readonly long_numbers: number[] = [];
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
      else if (code >= ZERO && code <= NINE) at = this.endOfNumber(at);
      else if (code === COLON) this.members++;
      else if (code === COMMA) this.comma(at);
      else if (code === BRACE || code === BRACKET) this.begin(at, code === BRACE);
      else if (code === BRACE_END || code === BRACKET_END) this.end(at, code === BRACE_END);
    }
    this.at = at;
    if (at >= text.length && this.depth > 0) throw new SyntaxError('JSON Parse error: Unexpected EOF');
  }

  /** Position of the last digit of a number, without its exponent. */
  private endOfNumber(start: number): number {
    const { text } = this;
    let end = start + 1;
    let is_integer = true;
    for (let code = text.charCodeAt(end); ; code = text.charCodeAt(++end)) {
      if (code === POINT) is_integer = false;
      // Also at the end of the text.
      else if (!(code >= ZERO && code <= NINE)) break;
    }
    const length_kept = is_integer ? INTEGER_LENGTH_KEPT : DECIMAL_LENGTH_KEPT;
    if (end - start > length_kept && !keepsDigits(text.slice(start, end))) this.long_numbers.push(start);
    return end - 1;
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
