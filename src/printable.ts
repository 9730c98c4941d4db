/**
 * Characters that a terminal interprets or hides: control characters (C0, DEL, C1), line and paragraph separators,
 * unpaired surrogates, and format characters such as those that change the direction of text. Joiners of scripts and
 * emoji are kept.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;
/** The same without line feeds and tabs. */
const HIDDEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;
/** A fast check, since most texts contain only these characters. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/**
 * Escapes characters of an external value that a terminal interprets or hides, as in JSON (`\u001b`).
 *
 * The result is one line.
 */
export function printable(value: string): string {
  return value.replace(HIDDEN, escaped);
}

/** Like `printable` for whole lines: line feeds and tabs stay. JSON stays equivalent. */
export function printableLines(lines: string): string {
  return PLAIN.test(lines) ? lines : lines.replace(HIDDEN_IN_LINES, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
