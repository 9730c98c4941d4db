import { type Static, Type } from '@sinclair/typebox';
import { InvalidOptions, readEach } from './invalid-options.ts';
import { grouped, listOf } from './list-of.ts';
import { isPaired, tagOf, wordsOf } from './words.ts';

/** Maximum number of entries of a list, those of lists within it counted. */
const ENTRIES_MAX = 500;
const PREFIX_LETTERS_MIN = 3;

export const WORD_ENTRY_FORM =
  'a text of 1 to 256 characters: a word (jazz), a phrase (late night), the beginning of a word with * (synth*), or a hashtag (#vinyl)';

const Entry = Type.String({ minLength: 1, maxLength: 256, description: WORD_ENTRY_FORM });

/** Options of filters by words: one of the entries must match, and of a list within it all. */
export const WordEntries = listOf(
  Type.Union([Entry, Type.Array(Entry, { minItems: 1, maxItems: ENTRIES_MAX })], {
    description: `${WORD_ENTRY_FORM}; or a list of at least one such text, all of which must match`,
  }),
  'words, phrases, beginnings of words and hashtags, or lists of them',
  ['jazz', 'late night', 'synth*', '#vinyl', ['vinyl', 'record*']],
  ENTRIES_MAX,
);

/**
 * What an entry matches: these words one after the other, in one text.
 *
 * The last word of a `prefix` may be the beginning of a word. Words are as `wordsOf` and `tagOf` return them.
 */
export interface WordEntry {
  kind: 'word' | 'phrase' | 'prefix' | 'tag';
  words: string[];
}

/** Parses an entry. @throws InvalidOptions */
export function parseWordEntry(entry: string): WordEntry {
  const text = entry.normalize('NFKC').trim();
  if (/^\*(?!\ufe0f?\u20e3)/.test(text)) throw fault(entry, 'begins with *, which may only end a word');
  if (/^#(?!\ufe0f?\u20e3)/.test(text)) return { kind: 'tag', words: [parsedTag(text)] };
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) throw fault(entry, 'contains no word');
  if (isPaired(last)) return ofPairs(words, last);
  if (!text.endsWith('*')) return { kind: words.length > 1 ? 'phrase' : 'word', words };
  if (words.length > 1) throw fault(entry, 'is a phrase; only a single word may end with *');
  if (lettersIn(last) < PREFIX_LETTERS_MIN)
    throw fault(entry, `is too short; expected at least ${PREFIX_LETTERS_MIN} letters before *`);
  return { kind: 'prefix', words };
}

/**
 * What an entry matches that ends in a script without blanks. With or without `*`, more letters may follow.
 *
 * The last letter is no word of its own where its pair is; where it is alone, it begins a pair in a longer run.
 */
function ofPairs(words: string[], last: string): WordEntry {
  const before = words.at(-2);
  if (before === undefined || before === last || !before.endsWith(last)) return { kind: 'prefix', words };
  const pairs = words.slice(0, -1);
  return { kind: pairs.length > 1 ? 'phrase' : 'word', words: pairs };
}

/**
 * Parses the options of a filter by words.
 * @returns lists of which one must match; all entries of the list must match
 * @throws InvalidOptions with the place of each fault
 */
export function parseWordEntries(entries: Static<typeof WordEntries>): WordEntry[][] {
  const parsed = readEach(entries, (entry) =>
    typeof entry === 'string' ? [parseWordEntry(entry)] : readEach(entry, parseWordEntry),
  );
  const count = parsed.flat().length;
  if (count > ENTRIES_MAX)
    throw new InvalidOptions(
      `expected at most ${grouped(ENTRIES_MAX)} entries in all lists; got ${grouped(count)}`,
    );
  return parsed;
}

function parsedTag(text: string): string {
  if (text.endsWith('*')) throw fault(text, 'is a hashtag; only a word may end with *');
  const tag = tagOf(text);
  if (tag === undefined) throw fault(text, 'is a hashtag without a name');
  return tag;
}

/** A syllable of Hangul has two or three letters. Marks do not count. */
function lettersIn(word: string): number {
  return word.normalize('NFD').match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function fault(entry: string, what: string): InvalidOptions {
  return new InvalidOptions(`'${entry.slice(0, 64)}' ${what}`);
}
