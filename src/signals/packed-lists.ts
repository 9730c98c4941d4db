import type { Key } from '../model/key.ts';
import { NONE } from '../model/key.ts';
import { PACKED_SLOT_WORDS } from './list-slots.ts';
import { COUNT_BITS, COUNT_MASK, LIST_LENGTH, SHARED_LENGTH } from './neighbour-lists.ts';
import { HEAD_WORDS } from './neighbours.ts';

/**
 * Why packed neighbour lists cannot be right, as `Neighbours.pack` writes them. Undefined if they can.
 * @param wasNamed whether an item ever had this key
 */
export function packedFault(words: Int32Array, wasNamed: (key: Key) => boolean): string | undefined {
  const weights = new Float32Array(words.buffer, words.byteOffset, words.length);
  for (let start = 0; start < words.length; ) {
    const at = start + HEAD_WORDS + PACKED_SLOT_WORDS;
    const end = words[start];
    if (end > words.length || at >= end) return 'a list has no valid length';
    const key = words[start + 1];
    if (!wasNamed(key)) return `a list is of item ${key}, which is not stored`;
    const count = words[at] & COUNT_MASK;
    const share_count = (words[at] >> COUNT_BITS) & COUNT_MASK;
    if (count > LIST_LENGTH || share_count > SHARED_LENGTH || at + 1 + 2 * (count + share_count) !== end)
      return `the list of item ${key} has no valid length`;
    for (const [from, length] of [
      [at + 1, count],
      [at + 1 + 2 * count, share_count],
    ]) {
      for (let place = from; place < from + length; place++) {
        const target = words[place];
        if (target !== NONE && !wasNamed(target))
          return `the list of item ${key} has item ${target}, which is not stored`;
        if (!Number.isFinite(weights[place + length])) return `the list of item ${key} has no valid weight`;
      }
    }
    start = end;
  }
  return undefined;
}
