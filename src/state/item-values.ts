import type { Key } from '../model/key.ts';
import { NONE } from '../plugin/index.ts';
import { parseWordEntry } from '../plugin/word-entries.ts';
import type { State } from './state.ts';
import { matcherOf } from './word-matcher.ts';

/** The columns of items with values that preferences name. */
export const VALUE_COLUMNS = ['author', 'channel', 'label'] as const;

/** Values of items that preferences name, by kind. Users are named by their keys. */
export interface ItemValues {
  author: readonly Key[];
  channel: readonly string[];
  label: readonly string[];
  word: readonly string[];
}

/** The codes of the values that some item has or had. For authors: the ordinals. */
export type Codes = Record<(typeof VALUE_COLUMNS)[number], number[]>;

export function codesOf({ users, groups }: State, { author, channel, label }: ItemValues): Codes {
  const known = (code: number) => code !== NONE;
  return {
    author: author.map((key) => users.names.ordinal(key)).filter(known),
    channel: channel.map((value) => groups.channel.code(value)).filter(known),
    label: label.map((value) => groups.label.code(value)).filter(known),
  };
}

/**
 * Makes a test for items with any of the values, or with any of the words in their texts. Undefined if no item has one.
 * @param ai_label_threshold a label counts with a score above it
 * @throws WordsIncomplete
 */
export function hasAnyOf(
  state: State,
  values: ItemValues,
  ai_label_threshold: number,
): ((item: number) => boolean) | undefined {
  const { items, groups } = state;
  const { author, channel, label } = codesOf(state, values);
  const [authors, channels, labels] = [new Set(author), new Set(channel), new Set(label)];
  const applies = (code: number, score: number) => score > ai_label_threshold && labels.has(code);
  // Prefixes may have any number of words: their cost is that of one page of one viewer.
  const words =
    values.word.length === 0
      ? undefined
      : matcherOf(
          state.words,
          values.word.map((entry) => [parseWordEntry(entry)]),
        ).bind();
  const has_codes = authors.size + channels.size + labels.size > 0;
  if (!has_codes) return words;
  return (item) =>
    authors.has(items.author(item)) ||
    channels.has(groups.channel.of(item)) ||
    (labels.size > 0 && groups.label.any(item, applies)) ||
    words?.(item) === true;
}
