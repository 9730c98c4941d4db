import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { refuse } from '../../model/values/refusal.ts';
import { folded } from '../../plugin/folded.ts';
import type { Service } from '../../service.ts';
import { readableText } from '../../state/readable-text.ts';
import { inScanTurn } from '../records/prefix-scan.ts';
import type { ItemsOfValue } from '../records/searches.ts';
import { behind, cursorOf, FIRST_PLACE, type Place } from '../records/time-cursor.ts';
import { parameter } from '../transport/parameters.ts';
import { type ListedItem, listedItems } from './listed-items.ts';

/** Items and characters that are read per turn of the event loop: some milliseconds. */
const SLICE_ITEMS = 64;
const SLICE_CHARACTERS = 64 * 1024;
/** What one request reads at most. The next one goes on. */
const READ_ITEMS_MAX = 20_000;
const READ_CHARACTERS_MAX = 16 * 1024 * 1024;
const READ_MS_MAX = 1_000;

/** Scripts that put no blanks between words. */
const WITHOUT_BLANKS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const WORDS_MAX = 10;
const WORD_LENGTH_MAX = 100;
const WORDS_FORM = `expected 1 to ${WORDS_MAX} words of at most ${WORD_LENGTH_MAX} characters`;

/** The parameter with the words of a search, folded. */
export const WORDS = parameter<string[]>(
  Type.String({
    description: `Words that the text has, all of them, in any order: at most ${WORDS_MAX}. Each is the beginning of a word of the text; in scripts without blanks it may be anywhere. Compared without case, in NFKC.`,
    example: 'night train',
  }),
  (value) => {
    const words = folded(String(value)).split(/\s+/).filter(Boolean);
    const is_fine = words.length > 0 && words.every((word) => word.length <= WORD_LENGTH_MAX);
    return is_fine && words.length <= WORDS_MAX ? words : refuse(WORDS_FORM);
  },
);

export interface FoundTexts {
  items: ListedItem[];
  /** Absent: all items have been read. */
  cursor?: string;
  /** The creation time of the last item that was read, in seconds. Absent like the cursor. */
  searched_to?: number;
}

interface TextSearch {
  /** As `WORDS` gives them. */
  words: readonly string[];
  after?: Place;
  limit: number;
  monotonicMs: () => number;
}

/**
 * Items whose text has all words of a search, newest first, with hidden ones.
 *
 * It reads stored texts in slices, between which other requests are served. There is no index of words: it would be
 * another copy of all texts to write, to store and to erase from, and each engine would cut words in its own way.
 * @throws ServiceError `overloaded`, `store_unavailable`; the reason of `given_up`
 */
export async function itemsWithText(
  { state, store }: Pick<Service, 'state' | 'store'>,
  among: ItemsOfValue,
  { words, after = FIRST_PLACE, limit, monotonicMs }: TextSearch,
  given_up: AbortSignal,
): Promise<FoundTexts> {
  const { items } = state;
  const matches = textTest(words);
  const found: { item: number; seq: number; place: Place }[] = [];
  const left = { items: READ_ITEMS_MAX, characters: READ_CHARACTERS_MAX };
  const until_ms = monotonicMs() + READ_MS_MAX;
  let place = after;
  let is_end = false;
  do {
    const slice = sliceAfter(state, among, place);
    is_end = slice.length === 0;
    const read = () =>
      store.readItems(
        slice.map(({ seq }) => seq),
        given_up,
      );
    const contents = await inScanTurn(read, given_up);
    for (const { item, seq, created_at, characters } of slice) {
      place = behind(place, created_at);
      left.items--;
      left.characters -= characters;
      const content = contents.get(seq);
      if (content === undefined || !matches(readableText(content) ?? '')) continue;
      if (found.push({ item, seq, place }) === limit) break;
    }
    await nextTurn();
  } while (
    !is_end &&
    found.length < limit &&
    left.items > 0 &&
    left.characters > 0 &&
    monotonicMs() < until_ms
  );
  // The others were changed or deleted meanwhile.
  const current = found.filter(({ item, seq }) => items.content_seq(item) === seq);
  const listed = await listedItems(
    { state, store },
    current.map(({ item }) => item),
    given_up,
  );
  if (listed.length < current.length) place = current[listed.length - 1].place;
  else if (is_end) return { items: listed };
  return { items: listed, cursor: cursorOf(place), searched_to: Math.floor(place.time) };
}

/** The next items of a list, as many as a slice may have, but at least one if there are any. */
function sliceAfter({ items }: Service['state'], { list, value }: ItemsOfValue, place: Place) {
  const slice: { item: number; seq: number; created_at: number; characters: number }[] = [];
  let characters = 0;
  for (let at = list.until(value, place.time) - place.passed - 1; at >= list.start(value); at--) {
    const item = list.item(at);
    characters += items.text_length(item);
    if (slice.length === SLICE_ITEMS || (slice.length > 0 && characters > SLICE_CHARACTERS)) break;
    const [seq, created_at] = [items.content_seq(item), items.created_at(item)];
    slice.push({ item, seq, created_at, characters: items.text_length(item) });
  }
  return slice;
}

/** Tests whether a text has all words of a search, in any order. */
function textTest(words: readonly string[]): (text: string) => boolean {
  const tests = words.map((word) => {
    const [first] = word;
    const begins = /[\p{L}\p{N}]/u.test(first) && !WITHOUT_BLANKS.test(first);
    const beginning = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${RegExp.escape(word)}`, 'u');
    return (text: string) => text.includes(word) && (!begins || beginning.test(text));
  });
  return (text) => {
    const compared = folded(text);
    return tests.every((test) => test(compared));
  };
}
