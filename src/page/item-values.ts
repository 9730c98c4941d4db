import type { Test } from '../feeds/compiled-feed.ts';
import type { Key } from '../model/key.ts';
import { NONE } from '../plugin/index.ts';
import type { Engine } from './engine.ts';

/** The columns of items with values that preferences name. */
export const VALUE_COLUMNS = ['author', 'channel', 'label'] as const;

/** Values of items that preferences name, by kind. Users are named by their keys. */
export interface ItemValues {
  author: readonly Key[];
  channel: readonly string[];
  label: readonly string[];
}

/** The codes of the values that some item has or had. For authors: the ordinals. */
export type Codes = Record<(typeof VALUE_COLUMNS)[number], number[]>;

export function codesOf({ state: { users, groups } }: Engine, values: ItemValues): Codes {
  const known = (code: number) => code !== NONE;
  return {
    author: values.author.map((key) => users.names.ordinal(key)).filter(known),
    channel: values.channel.map((value) => groups.channel.code(value)).filter(known),
    label: values.label.map((value) => groups.label.code(value)).filter(known),
  };
}

/**
 * Makes a test for items with any of the values. Undefined if no item has one.
 *
 * A label counts with a score above the default threshold of filters. O(the item's labels) per item.
 */
export function hasAnyOf({ state, columns, defaults }: Engine, codes: Codes): Test | undefined {
  const [authors, channels, labels] = [codes.author, codes.channel, codes.label].map((of) => new Set(of));
  if (authors.size + channels.size + labels.size === 0) return undefined;
  const { channel } = state.groups;
  const applies = (code: number, score: number) => score > defaults.ai_label_threshold && labels.has(code);
  return (item) =>
    (authors.size > 0 && authors.has(columns.item.author(item))) ||
    (channels.size > 0 && channels.has(channel.of(item))) ||
    (labels.size > 0 && columns.item.has('label', item, applies));
}
