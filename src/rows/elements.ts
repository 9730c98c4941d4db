import { LINE_BYTES_MAX } from './lines.ts';

/** An element of an array of JSON. */
export interface Element {
  /** Number of its first line, from 1. */
  line: number;
  text: string;
  /** Why it cannot be read. */
  fault?: string;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/**
 * Splits the text of arrays of JSON into their elements, without reading these. What stands around the arrays is not looked
 * at. Holds at most one unfinished element.
 */
export class ElementCutter {
  private unfinished = '';
  private is_too_long = false;
  private levels = 0;
  private in_text = false;
  private is_escaped = false;
  private has_ended = false;
  private first_line: number;

  /**
   * @param line number of the line with which the text begins
   * @param is_alone whether the first array is the only one
   */
  constructor(
    private line: number,
    private readonly is_alone: boolean,
  ) {
    this.first_line = line;
  }

  /** The elements that end within a text, which continues the one before. O(characters). */
  push(text: string): Element[] {
    const elements: Element[] = [];
    let start = 0;
    for (let at = 0; at < text.length && !this.has_ended; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) this.line++;
      else if (this.in_text) this.withinText(code);
      else if (code === QUOTE) this.in_text = true;
      else if (code === BRACKET || code === BRACE) {
        if (this.levels++ > 0) continue;
        start = at + 1;
        this.first_line = this.line;
      } else if (code === BRACKET_END || code === BRACE_END || code === COMMA) {
        if (code === COMMA ? this.levels !== 1 : --this.levels > 0) continue;
        elements.push(...this.ended(text.slice(start, at)));
        start = at + 1;
        this.has_ended = this.is_alone && code !== COMMA;
      }
    }
    if (this.levels > 0) this.keep(text.slice(start));
    return elements;
  }

  /** What is left at the end of the file. */
  end(): Element[] {
    if (this.levels === 0) return [];
    return [{ line: this.first_line, text: this.unfinished, fault: 'the array of JSON is not closed' }];
  }

  private withinText(code: number): void {
    if (this.is_escaped) this.is_escaped = false;
    else if (code === BACKSLASH) this.is_escaped = true;
    else if (code === QUOTE) this.in_text = false;
  }

  private keep(rest: string): void {
    this.is_too_long ||= this.unfinished.length + rest.length > LINE_BYTES_MAX;
    this.unfinished = this.is_too_long ? '' : this.unfinished + rest;
  }

  private ended(rest: string): Element[] {
    this.keep(rest);
    const blanks = /^\s*/.exec(this.unfinished)?.[0] ?? '';
    const line = this.first_line + blanks.split('\n').length - 1;
    const text = this.unfinished.trim();
    const fault = this.is_too_long ? `the element is longer than ${LINE_BYTES_MAX} characters` : undefined;
    this.unfinished = '';
    this.is_too_long = false;
    this.first_line = this.line;
    return text === '' && fault === undefined ? [] : [{ line, text, fault }];
  }
}
