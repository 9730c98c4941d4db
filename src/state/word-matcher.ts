import { BitSet } from '../bit-set.ts';
import { CHANGES_KEPT } from '../columns/change-ring.ts';
import { invalidValue, ServiceError } from '../errors.ts';
import { NONE } from '../plugin/index.ts';
import { grouped } from '../plugin/list-of.ts';
import type { WordEntry } from '../plugin/word-entries.ts';
import type { Words } from './words.ts';

/** The page needs words that are not complete yet. It can be built when they are. */
export class WordsIncomplete extends ServiceError {
  constructor() {
    super('loading', 'the words of all items are being read; send the request again', undefined, 5);
  }
}

/** Maximum number of words that begin like a prefix of a filter. */
const PREFIX_WORDS_MAX = 5_000;

/** Lists of entries: an item matches all entries of at least one list. */
export type WordLists = readonly (readonly WordEntry[])[];

const matchers = new WeakMap<Words, WeakMap<WordLists, WordMatcher>>();

/**
 * The matcher of some entries. It is made once for each `lists`, by identity.
 * @throws WordsIncomplete
 */
export function matcherOf(words: Words, lists: WordLists): WordMatcher {
  if (!words.is_complete) {
    words.want();
    throw new WordsIncomplete();
  }
  const known = matchers.getOrInsertComputed(words, () => new WeakMap());
  return known.getOrInsertComputed(lists, () => new WordMatcher(words, lists));
}

/** As `matcherOf`. @throws ServiceError `invalid_value` if a prefix has too many words; WordsIncomplete */
export function limitedMatcherOf(words: Words, lists: WordLists): WordMatcher {
  const matcher = matcherOf(words, lists);
  const prefix = matcher.widePrefix(PREFIX_WORDS_MAX);
  if (prefix === undefined) return matcher;
  const message = `'${prefix}*' matches more than ${grouped(PREFIX_WORDS_MAX)} different words; write more of its letters`;
  throw invalidValue([{ path: '/filters', message }]);
}

/** A word, or all words with a prefix, as far as items have them. */
interface Known {
  numbers: Set<number>;
  /** Whether every item with one of them matches. */
  is_hit: boolean;
  /** Lists that only match items with one of them. */
  lists: Known[][][];
}

/**
 * Decides which items match.
 *
 * Bitmaps over all words decide most items. A list of one word matches every item with the word. Of any other list, one
 * word that is probably rare is its key, and only items with the key are compared with the list.
 */
class WordMatcher {
  private readonly exact = new Map<string, Known>();
  private readonly prefixes = new Map<string, Known>();
  /** Hits, and keys besides. */
  private marked = new BitSet();
  private hits = new BitSet();
  private readonly by_key = new Map<number, Known[]>();
  private generation = NONE;
  private version = 0;

  constructor(
    private readonly words: Words,
    lists: WordLists,
  ) {
    for (const list of lists) {
      const places = list.map(({ words, kind }) =>
        words.map((word, at) => this.knownOf(word, kind === 'prefix' && at === words.length - 1)),
      );
      if (list.length === 1 && list[0].words.length === 1) places[0][0].is_hit = true;
      else {
        const [entry, word] = keyOf(list);
        places[entry][word].lists.push(places);
      }
    }
  }

  /** A test of items, valid until the next change. */
  bind(): (item: number) => boolean {
    this.keepUp();
    const { words, marked, hits } = this;
    return (item) => {
      const found = words.scan(item, marked, hits);
      return found === 1 || (found < 0 && this.matchesList(words.numbersOf(item)));
    };
  }

  /** A prefix with more than so many words, if there is one. */
  widePrefix(words_max: number): string | undefined {
    this.keepUp();
    for (const [prefix, { numbers }] of this.prefixes) {
      if (numbers.size <= words_max) continue;
      const used = numbers.values().filter((number) => this.words.isUsed(number));
      if (used.toArray().length > words_max) return prefix;
    }
    return undefined;
  }

  private knownOf(text: string, is_prefix: boolean): Known {
    const known = is_prefix ? this.prefixes : this.exact;
    return known.getOrInsertComputed(text, () => ({ numbers: new Set(), is_hit: false, lists: [] }));
  }

  /** Takes over words that are new. */
  private keepUp(): void {
    const { words } = this;
    const { version } = words.latest;
    const behind = version - this.version;
    if (this.generation !== words.generation || behind > CHANGES_KEPT) this.findAll();
    else for (const number of words.latest.since(this.version, behind)) this.noteNew(number);
    this.generation = words.generation;
    this.version = version;
  }

  private findAll(): void {
    this.hits = new BitSet();
    this.marked = new BitSet();
    this.by_key.clear();
    for (const [word, known] of this.exact) {
      const number = this.words.find(word);
      known.numbers.clear();
      if (number !== NONE) this.note(number, known);
    }
    for (const [prefix, known] of this.prefixes) {
      known.numbers.clear();
      this.words.eachWithPrefix(prefix, (number) => this.note(number, known));
    }
  }

  private noteNew(number: number): void {
    const word = this.words.word(number);
    const known = this.exact.get(word);
    if (known !== undefined) this.note(number, known);
    for (const [prefix, known] of this.prefixes) if (word.startsWith(prefix)) this.note(number, known);
  }

  private note(number: number, known: Known): void {
    known.numbers.add(number);
    if (known.is_hit) this.hits.add(number);
    else if (known.lists.length > 0) this.by_key.getOrInsertComputed(number, () => []).push(known);
    else return;
    this.marked.add(number);
  }

  private matchesList(numbers: Uint32Array): boolean {
    const keys = new Set<Known>();
    for (const number of numbers) for (const key of this.by_key.get(number) ?? []) keys.add(key);
    for (const { lists } of keys) {
      if (lists.some((list) => list.every((entry) => occurs(entry, numbers)))) return true;
    }
    return false;
  }
}

/** Whether the words of an entry follow one another. No word has the number between two texts. */
function occurs(entry: readonly Known[], numbers: Uint32Array): boolean {
  for (let from = 0; from + entry.length <= numbers.length; from++) {
    if (entry.every((known, at) => known.numbers.has(numbers[from + at]))) return true;
  }
  return false;
}

/** The indexes of the word of a list that is probably in the fewest items: the longest one, of prefixes only if need be. */
function keyOf(list: readonly WordEntry[]): [entry: number, word: number] {
  const places = list.flatMap(({ words, kind }, entry) =>
    words.map((text, word) => {
      const is_prefix = kind === 'prefix' && word === words.length - 1;
      return { entry, word, rarity: is_prefix ? 0 : text.length };
    }),
  );
  const { entry, word } = places.reduce((best, place) => (place.rarity > best.rarity ? place : best));
  return [entry, word];
}
