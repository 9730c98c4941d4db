import type { ItemContent } from '../model/records/item.ts';
import { itemWords } from './item-words.ts';
import type { State } from './state.ts';

/** What is read and cut at once: about a millisecond. */
const ITEMS_AT_ONCE = 64;
/** Words are numbered by their frequency in so many items: those that fit into two bytes, and occur again. */
const COUNTED_ITEMS = 4_096;
const FREQUENT_WORDS_MAX = 16_000;
/** What is numbered at once. */
const WORDS_AT_ONCE = 500;

export interface StoredContents {
  /** Contents by the `seq` of their version. Removed ones are left out. */
  readItems(seqs: readonly number[]): Promise<Map<number, ItemContent>>;
}

/**
 * Fills in the words of all items from their stored contents, while changes go on.
 *
 * First some items are counted, so that frequent words get small numbers. From then on changes bring the words of what
 * they describe, and all others are read.
 * @param slice awaited at intervals
 * @throws Error if a content is missing; errors of the store and of `slice`
 */
export async function fillWords(
  state: State,
  store: StoredContents,
  slice: () => Promise<void>,
): Promise<void> {
  const { items, words } = state;
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.floor(items.size / COUNTED_ITEMS));
  await eachContent(state, store, step, slice, (_, content) => {
    for (const word of itemWords(content).flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  });
  const frequent = [...counts].filter(([, count]) => count > 1).sort((one, other) => other[1] - one[1]);
  frequent.length = Math.min(frequent.length, FREQUENT_WORDS_MAX);
  words.turnOn();
  while (frequent.length > 0) {
    for (const [word] of frequent.splice(0, WORDS_AT_ONCE)) words.number(word);
    await slice();
  }
  await eachContent(state, store, 1, slice, (item, content) => words.describeItem(item, content));
  words.finish();
}

/**
 * Reads the contents of every `step`th item, as far as they are still current then.
 *
 * A removed content is gone from the store before the state knows, so it is only missed at the end.
 */
async function eachContent(
  { items }: State,
  store: StoredContents,
  step: number,
  slice: () => Promise<void>,
  visit: (item: number, content: ItemContent) => void,
): Promise<void> {
  const seqOf = (item: number) => (items.described(item) ? items.content_seq(item) : 0);
  const { size } = items;
  const missing = new Map<number, number>();
  for (let from = 0; from < size; ) {
    const seqs = new Map<number, number>();
    for (; from < size && seqs.size < ITEMS_AT_ONCE; from += step) {
      if (seqOf(from) > 0) seqs.set(from, seqOf(from));
    }
    const contents = await store.readItems([...seqs.values()]);
    for (const [item, seq] of seqs) {
      if (seqOf(item) !== seq) continue;
      const content = contents.get(seq);
      if (content === undefined) missing.set(item, seq);
      else visit(item, content);
    }
    await slice();
  }
  for (const [item, seq] of missing)
    if (seqOf(item) === seq) throw new Error(`the content of the item ${items.names.id(item)} is missing`);
}
