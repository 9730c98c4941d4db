/**
 * What a terminal obeys or hides instead of showing it: controls (C0, DEL, C1), line and paragraph separators, half surrogate
 * pairs, and format characters such as those that turn the direction of a text. The joiners of scripts and emoji stay.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;
/** The same, but for what lays out lines. */
const HIDDEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;
/** Most texts are nothing but this. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/**
 * A value that comes from outside, on one line and without characters that a terminal obeys or hides: these are escaped as JSON
 * escapes them, `\u001b`.
 */
export function printable(value: string): string {
  return value.replace(HIDDEN, escaped);
}

/** The same of whole lines: line feeds and tabs stay. JSON stays the same JSON. */
export function printableLines(lines: string): string {
  return PLAIN.test(lines) ? lines : lines.replace(HIDDEN_IN_LINES, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
