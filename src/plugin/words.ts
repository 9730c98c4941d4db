import { ASCII, folded } from './folded.ts';

/** Longer words are cut after these UTF-16 units. */
const WORD_LENGTH_MAX = 64;

/** The kinds of characters. 0 is reserved for characters that were not classified yet. */
const SEPARATOR = 1;
const LETTER = 2;
const DIGIT = 3;
const MARK = 4;
/** A letter of a script without blanks between words. */
const PAIRED = 5;
const EMOJI = 6;
/** Half of a flag. */
const REGIONAL = 7;

/**
 * The properties are compiled into the runtime and do not depend on the machine, so that all nodes of a release agree. A
 * test fails if another version of the runtime classifies a character differently.
 */
const CLASSES: readonly (readonly [number, RegExp])[] = [
  [
    PAIRED,
    /[[\p{L}\p{Nl}]&&[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]/v,
  ],
  [DIGIT, /\p{Nd}/v],
  [LETTER, /[\p{L}\p{N}]/v],
  [MARK, /\p{M}/v],
  [REGIONAL, /\p{RI}/v],
  [EMOJI, /[\p{ExtPict}\p{EMod}]/v],
];

/** The kind of each character that was met. Pages of memory that no text needs are never touched. */
const KINDS = new Uint8Array(0x110000);

const PICTURE = String.raw`\p{ExtPict}\p{EMod}?[\u{e0020}-\u{e007f}]*`;
const PICTURES = String.raw`${PICTURE}(?:\u200d${PICTURE})*`;
const EMOJI_AT = new RegExp(`${PICTURES}|.`, 'suy');
/** Default ignorable characters have no width, or only direct the display. */
const IGNORABLE = /\p{DI}/u;
const EMOJI_OR_IGNORABLE = new RegExp(`(${PICTURES})|\\p{DI}`, 'gu');
/** They only select how an emoji looks. */
const VARIATIONS = /[\ufe0e\ufe0f]/g;

/** What is written for an apostrophe, the Hebrew geresh among it. */
const APOSTROPHES = /[‘’ʼ׳]/g;

/** What may begin a hashtag. NFKC makes `#` of the other two. */
const ANY_NUMBER_SIGN = /[#＃﹟]/;
/** `#`, then letters, digits and `_ · ・`, with at least one letter. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&/#])#(?=[\p{M}\p{N}_·・]*\p{L})[\p{L}\p{M}\p{N}_·・]+/gu;

const NUMBER_SIGN = 0x23;
const ASTERISK = 0x2a;
const APOSTROPHE = 0x27;
/** The mark that makes a keycap of a digit, `#` or `*`. */
const KEYCAP = 0x20e3;

/** A sign after a single letter that makes it the name of a language: `c#`, `c++`. */
const LETTER_WITH_SIGN = /[a-z](?:#(?![#_\p{L}\p{M}\p{N}])|\+\+(?![+_\p{L}\p{M}\p{N}]))/uy;

/**
 * Cuts a text into its words, folded and in order. O(characters).
 *
 * A word consists of letters, digits and their marks, with apostrophes between two letters or two digits. Every emoji is a
 * word, and so are `c#`, `c++` and their like. A run of letters of a script without blanks is cut into overlapping pairs,
 * and its last letter is a word, too: each letter of the run begins exactly one word. Longer words are cut.
 */
export function wordsOf(text: string): string[] {
  return cut(comparable(text));
}

/** The hashtags in a text, each as `#` and its folded name, in order and with repetitions. */
export function hashtagsOf(text: string): string[] {
  if (!ANY_NUMBER_SIGN.test(text)) return [];
  return Array.from(comparable(text).matchAll(HASHTAG), ([tag]) => slice(tag, 0, tag.length));
}

/**
 * The form in which a tag is compared: `#` and its folded name.
 * @param name with or without `#`; may contain blanks
 * @returns undefined if no word is in it
 */
export function tagOf(name: string): string | undefined {
  const bare = comparable(name)
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ #]+/, '')
    .trimEnd();
  return cut(bare).length > 0 ? slice(`#${bare}`, 0, bare.length + 1) : undefined;
}

/** Whether a word is a letter, or a pair of letters, of a script without blanks. */
export function isPaired(word: string): boolean {
  return kindOf(codeAt(word, 0)) === PAIRED;
}

/** The folded text with one kind of apostrophe, and without ignorable characters except those within an emoji. */
function comparable(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const plain = folded(text.replaceAll(VARIATIONS, '')).replaceAll(APOSTROPHES, "'");
  if (!IGNORABLE.test(plain)) return plain;
  // A removed character may have separated a mark from its letter.
  return plain.replaceAll(EMOJI_OR_IGNORABLE, '$1').normalize('NFKC');
}

/** Cuts a comparable text. */
function cut(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const code = codeAt(text, at);
    const kind = kindOf(code);
    if (kind === PAIRED) {
      at = pushPairs(text, at, words);
      continue;
    }
    const end = endOfWord(text, at, code, kind);
    if (end > at) words.push(slice(text, at, end));
    at = end > at ? end : at + widthOf(code);
  }
  return words;
}

/** The end of the word that begins with the character at `at`; `at` if none does. */
function endOfWord(text: string, at: number, code: number, kind: number): number {
  if (kind === LETTER || kind === DIGIT) return endOfLetters(text, at, kind);
  if (kind === EMOJI) return endOfMatch(EMOJI_AT, text, at);
  const end = at + widthOf(code);
  if (kind === REGIONAL) {
    const next = codeAt(text, end);
    return kindOf(next) === REGIONAL ? end + widthOf(next) : end;
  }
  const is_keycap = (code === NUMBER_SIGN || code === ASTERISK) && codeAt(text, end) === KEYCAP;
  return is_keycap ? end + 1 : at;
}

function endOfLetters(text: string, start: number, first: number): number {
  let end = start;
  let last = start;
  let kind = first;
  for (;;) {
    const code = codeAt(text, end);
    const next = kindOf(code);
    if (next === LETTER || next === DIGIT) {
      kind = next;
      last = end;
    } else if (next === MARK) {
      if (code === KEYCAP && kind === DIGIT && last === end - 1) return last > start ? last : end + 1;
    } else if (code !== APOSTROPHE || kindOf(codeAt(text, end + 1)) !== kind) break;
    end += widthOf(code);
  }
  if (end > start + 1) return end;
  return Math.max(end, endOfMatch(LETTER_WITH_SIGN, text, start));
}

/** Cuts a run of letters of a script without blanks. Returns its end. */
function pushPairs(text: string, start: number, words: string[]): number {
  let first = start;
  let second = endOfPaired(text, start);
  while (kindOf(codeAt(text, second)) === PAIRED) {
    const end = endOfPaired(text, second);
    words.push(slice(text, first, end));
    first = second;
    second = end;
  }
  words.push(slice(text, first, second));
  return second;
}

/** The end of a letter with its marks. */
function endOfPaired(text: string, at: number): number {
  let end = at + widthOf(codeAt(text, at));
  for (let code = codeAt(text, end); kindOf(code) === MARK; code = codeAt(text, end)) end += widthOf(code);
  return end;
}

/** @param pattern sticky */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A word is cut after the same units wherever it is, so that it equals itself. */
function slice(text: string, start: number, end: number): string {
  if (end - start <= WORD_LENGTH_MAX) return text.slice(start, end);
  return text.slice(start, start + WORD_LENGTH_MAX).toWellFormed();
}

/** The code point at an index. 0 after the end. */
function codeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xdc00) return text.codePointAt(at) ?? 0;
  return Number.isNaN(unit) ? 0 : unit;
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

function kindOf(code: number): number {
  const kind = KINDS[code];
  if (kind !== 0) return kind;
  const character = String.fromCodePoint(code);
  const found = CLASSES.find(([, pattern]) => pattern.test(character))?.[0] ?? SEPARATOR;
  KINDS[code] = found;
  return found;
}
