import type { ByteReader, ByteWriter } from '../columns/bytes.ts';

/** Keys are below 2^31 (`LIMITS.keys_max`). */
const KEY_BITS = 31;

/** Keys from `base` on are stored as differences of `width` bits. All ones mean that a whole key follows. */
interface Packing {
  base: number;
  width: number;
}

/** The difference that says that a whole key follows. */
const outsideOf = (width: number): number => 2 ** width - 1;

/** The packing with the fewest bits: of each width, the range that holds most keys. O(widths · keys + keys · log keys). */
function bestPacking(keys: Uint32Array): Packing {
  const sorted = keys.slice().sort();
  let best: Packing = { base: 0, width: KEY_BITS };
  let best_bits = keys.length * KEY_BITS;
  for (let width = 1; width < KEY_BITS; width++) {
    let first = 0;
    let most = 0;
    let base = 0;
    for (let last = 0; last < sorted.length; last++) {
      while (sorted[last] - sorted[first] >= outsideOf(width)) first++;
      if (last - first + 1 <= most) continue;
      most = last - first + 1;
      base = sorted[first];
    }
    const bits = keys.length * width + (keys.length - most) * KEY_BITS;
    if (bits < best_bits) {
      best = { base, width };
      best_bits = bits;
    }
  }
  return best;
}

/** Writes item keys in their order: about 2 bytes a key if most are of 65,000 items that follow each other. */
export function writeKeys(writer: ByteWriter, keys: Uint32Array): void {
  writer.varint(keys.length);
  if (keys.length === 0) return;
  const { base, width } = bestPacking(keys);
  const outside = outsideOf(width);
  writer.varint(base);
  writer.byte(width);
  for (const key of keys) {
    const difference = key - base;
    if (difference >= 0 && difference < outside) writer.bits(difference, width);
    else {
      writer.bits(outside, width);
      writer.bits(key, KEY_BITS);
    }
  }
  writer.endBits();
}

export function readKeys(reader: ByteReader): Uint32Array {
  const count = reader.varint();
  // Each takes a bit at least. Without this, a damaged row could take all memory.
  if (count > 8 * reader.bytes_left) throw new RangeError('the bytes end too early');
  const keys = new Uint32Array(count);
  if (keys.length === 0) return keys;
  const base = reader.varint();
  const width = reader.byte();
  const outside = outsideOf(width);
  for (let at = 0; at < keys.length; at++) {
    const difference = reader.bits(width);
    keys[at] = difference === outside ? reader.bits(KEY_BITS) : base + difference;
  }
  reader.endBits();
  return keys;
}
