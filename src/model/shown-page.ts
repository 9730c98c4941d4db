import { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { FEED_TYPES, type FeedType } from '../plugin/index.ts';

/** Why an item has its slot, in the order of the stored codes. Append only. */
export const ORIGINS = ['scored', 'explored', 'promoted', 'fallback', 'seen'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Ignored items this far below the last act were probably seen. */
export const LOOKED_BELOW_LAST_ACT = 10;

/** A page as it was shown to a viewer. Index `at` of each list belongs to one item. */
export interface ShownPage {
  /** In seconds, with milliseconds. */
  time: number;
  /** The number of the saved feed, or 0. */
  feed: number;
  feed_type: FeedType;
  /** Keys of the items in the order of their slots. */
  items: Uint32Array;
  /** Their slots on the page, from 1 on, rising. Not all of them if the viewer saw a part of the page. */
  slots: Uint16Array;
  /** Indexes of `ORIGINS`. */
  origins: Uint8Array;
  /** How many items exploration drew, from how many of the newest ones. Undefined without any. */
  explored?: { drawn: number; from: number };
  /** Keys of signals (`signalKey`), and for each item a value a signal, in 8 bits. Empty if none were computed. */
  signals: Uint32Array;
  signal_values: Uint8Array;
  /** Absent: the page counts for click rates alone. */
  learning?: LearningPage;
}

/** A page that models learn from. */
export interface LearningPage {
  /** How long after the page an act on it counts. With the page, so that all nodes learn alike. */
  window_seconds: number;
  /** Whether the viewer's app reported what was seen, so that a page without an act teaches, too. */
  is_reported: boolean;
  /** Whether the viewer is of those who get the default order of a feed that learns. */
  is_control: boolean;
  /** Whether the learnt model ordered it. With `is_control` false, too: a feed that only logs for learning. */
  is_learned: boolean;
  /** The slots say nothing of what the viewer looked at: all items were, at any slot alike. */
  is_unordered?: true;
}

/** No signals, for pages whose signals were not computed. */
export const NO_SIGNALS = { signals: new Uint32Array(), signal_values: new Uint8Array() };

const LAYOUT = 1;
/** Bits of an origin, below the distance to the slot before. */
const ORIGIN_BITS = 3;

/** Writes a page: about 12 bytes, 3 to 4 an item, 5 a signal, and a byte for each signal of an item. */
export function writeShownPage(writer: ByteWriter, page: ShownPage): void {
  const { items, slots, origins, explored, signals, signal_values, learning } = page;
  writer.byte(LAYOUT);
  writer.uint48(Math.round(page.time * 1000));
  writer.varint(page.feed);
  writer.byte(FEED_TYPES.indexOf(page.feed_type));
  writer.varint(explored?.drawn ?? 0);
  if (explored !== undefined) writer.varint(explored.from);
  writer.varint(items.length);
  let [key, slot] = [0, 0];
  for (let at = 0; at < items.length; at++) {
    writer.varint(((slots[at] - slot - 1) << ORIGIN_BITS) | origins[at]);
    const step = items[at] - key;
    writer.varint(step < 0 ? -2 * step - 1 : 2 * step);
    [key, slot] = [items[at], slots[at]];
  }
  writer.varint(learning === undefined ? 0 : signals.length + 1);
  if (learning === undefined) return;
  const { window_seconds, is_reported, is_control, is_learned, is_unordered = false } = learning;
  writer.varint(window_seconds);
  writer.byte(
    [is_reported, is_control, is_learned, is_unordered].reduce(
      (bits, is, at) => bits | (Number(is) << at),
      0,
    ),
  );
  for (const key of signals) writer.varint(key);
  writer.raw(signal_values);
}

/** @throws Error for bytes that `writeShownPage` did not write */
export function readShownPage(reader: ByteReader): ShownPage {
  if (reader.byte() !== LAYOUT) throw new Error('a shown page has a layout of another version');
  const time = reader.uint48() / 1000;
  const feed = reader.varint();
  const feed_type = FEED_TYPES[reader.byte()];
  const drawn = reader.varint();
  const explored = drawn === 0 ? undefined : { drawn, from: reader.varint() };
  const count = reader.varint();
  const page = {
    items: new Uint32Array(count),
    slots: new Uint16Array(count),
    origins: new Uint8Array(count),
  };
  let [key, slot] = [0, 0];
  for (let at = 0; at < count; at++) {
    const place = reader.varint();
    slot += (place >>> ORIGIN_BITS) + 1;
    const step = reader.varint();
    key += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    page.items[at] = key;
    page.slots[at] = slot;
    page.origins[at] = place & ((1 << ORIGIN_BITS) - 1);
  }
  const head = { time, feed, feed_type, ...page, explored };
  const signals_count = reader.varint() - 1;
  if (signals_count < 0) return { ...head, ...NO_SIGNALS };
  const window_seconds = reader.varint();
  const flags = reader.byte();
  const learning = {
    window_seconds,
    is_reported: (flags & 1) !== 0,
    is_control: (flags & 2) !== 0,
    is_learned: (flags & 4) !== 0,
    ...((flags & 8) !== 0 && { is_unordered: true as const }),
  };
  const signals = Uint32Array.from({ length: signals_count }, () => reader.varint());
  return { ...head, signals, signal_values: reader.raw(signals_count * count).slice(), learning };
}

export function shownPageBytes(page: ShownPage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writeShownPage(writer, page);
  return writer.result();
}

export function shownPageOf(bytes: Uint8Array): ShownPage {
  return readShownPage(new ByteReader(bytes));
}

/**
 * Whether the pages of a viewer are in a sample of 2^-halvings of all viewers. Smaller samples are parts of larger ones.
 * @param viewer hexadecimal digits of a hash
 */
export function isSampled(viewer: string, halvings: number): boolean {
  return Number.parseInt(viewer.slice(0, 8), 16) % 2 ** halvings === 0;
}
