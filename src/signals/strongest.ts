import type { Ordinal, Reached } from '../plugin/index.ts';
import { ScoredQueue } from './scored-queue.ts';

/**
 * Buckets of weights below the largest: 64 to each halving, so ten halvings apart; what is weaker still
 * shares the last.
 */
const BUCKETS = 640;
/** Bits of a double's upper half that are cut off: 6 bits of the fraction remain. */
const CUT_BITS = 14;

/**
 * A queue of the `count` strongest items of what was reached, and of those that share a bucket with the
 * weakest of them: counted into buckets first, so that thousands of weak items are never put in order.
 * O(reached).
 */
export function strongest(reached: Reached, count: number): ScoredQueue {
  const { size } = reached;
  const items = new Int32Array(size);
  const weights = new Float64Array(size);
  let next = 0;
  reached.forEach((item, weight) => {
    items[next] = item;
    weights[next++] = weight;
  });
  const queue = new ScoredQueue(laterNamedFirst, Math.min(size, count + (count >> 1)));
  if (count >= size) {
    for (let at = 0; at < size; at++) queue.add(items[at], weights[at]);
    return queue;
  }
  const buckets = bucketsOf(weights, reached.max);
  const last = lastBucket(buckets, count);
  for (let at = 0; at < size; at++) if (buckets[at] <= last) queue.add(items[at], weights[at]);
  return queue;
}

/** The bucket of each weight, 0 for the strongest: the upper bits of a positive double order like it. */
function bucketsOf(weights: Float64Array, max: number): Uint16Array {
  const upper = new Uint32Array(weights.buffer);
  const top = new Uint32Array(new Float64Array([max]).buffer)[1] >>> CUT_BITS;
  const buckets = new Uint16Array(weights.length);
  for (let at = 0; at < weights.length; at++) {
    const below = top - (upper[2 * at + 1] >>> CUT_BITS);
    buckets[at] = below < BUCKETS ? below : BUCKETS - 1;
  }
  return buckets;
}

/** The bucket up to which there are at least `count` weights. */
function lastBucket(buckets: Uint16Array, count: number): number {
  const sizes = new Uint32Array(BUCKETS);
  for (let at = 0; at < buckets.length; at++) sizes[buckets[at]]++;
  let found = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    found += sizes[bucket];
    if (found >= count) return bucket;
  }
  return BUCKETS - 1;
}

/** Cheap, and good enough for candidates, which are ranked again. */
function laterNamedFirst(one: Ordinal, other: Ordinal): number {
  return other - one;
}
