import { setImmediate as nextTurn } from 'node:timers/promises';

/** Approximate number of characters to parse at once. It takes half a millisecond. */
export const PIECE_LENGTH = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const BRACKET_END = 0x5d;
const BRACE_END = 0x7d;

/**
 * Parses JSON. A large array is parsed in slices, and the event loop runs between them.
 * @returns the elements of an array, or the value of any other text
 * @throws SyntaxError as `JSON.parse` of the whole text
 */
export async function parsePieces(text: string): Promise<unknown> {
  if (text.length <= PIECE_LENGTH) return JSON.parse(text);
  const elements: unknown[] = [];
  try {
    for (const piece of piecesOf(text)) {
      const parsed = JSON.parse(`[${piece}]`);
      if (parsed.length === 0) throw new SyntaxError('an element is missing');
      for (const element of parsed) elements.push(element);
      await nextTurn();
    }
  } catch {
    // Parsing the whole text gives an error message with the right position.
    return JSON.parse(text);
  }
  return elements;
}

/**
 * Splits the text of an array at commas between elements.
 *
 * It does not validate the pieces. The caller parses each as a list of elements; if all are valid, so is the array.
 * @throws SyntaxError for a text that does not begin and end like an array
 */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  let end = text.length - 1;
  while (isBlank(text.charCodeAt(start)) && start < end) start++;
  while (isBlank(text.charCodeAt(end)) && start < end) end--;
  if (text[start++] !== '[' || text[end] !== ']') throw new SyntaxError('not an array');
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === BRACE || code === BRACKET) depth++;
    else if (code === BRACE_END || code === BRACKET_END) depth--;
    else if (code === COMMA && depth === 0 && at - start >= PIECE_LENGTH) {
      yield text.slice(start, at);
      start = at + 1;
    }
  }
  yield text.slice(start, end);
}

/** Whether JSON allows the character between tokens: space, tab and line ends. `trim` would remove more. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
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
