import type { Ordinal, Reached } from '../plugin/index.ts';
import { Accumulator, type Entries } from './accumulator.ts';
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
 * @param tieBreak as of `ScoredQueue`
 */
export function strongest(
  reached: Reached | Entries,
  count: number,
  tieBreak: (one: Ordinal, other: Ordinal) => number = laterNamedFirst,
): ScoredQueue {
  const entries = entriesOf(reached);
  const { ordinals, weights, start, end } = entries;
  const queue = new ScoredQueue(tieBreak, Math.min(end - start, count + (count >> 1)));
  if (count >= end - start) {
    for (let place = start; place < end; place++) queue.add(ordinals[place], weights[place]);
    return queue;
  }
  const buckets = new Buckets(entries);
  const last = buckets.last(entries, count);
  for (let place = start; place < end; place++) {
    if (buckets.of(weights[place]) <= last) queue.add(ordinals[place], weights[place]);
  }
  return queue;
}

/** Puts positive weights into buckets, 0 for the strongest: the upper bits of a positive double order like it. */
class Buckets {
  private readonly weight = new Float64Array(1);
  private readonly halves = new Uint32Array(this.weight.buffer);
  private readonly top: number;

  constructor({ weights, start, end }: Entries) {
    let largest = 0;
    for (let place = start; place < end; place++) if (weights[place] > largest) largest = weights[place];
    this.top = this.upperBits(largest);
  }

  of(weight: number): number {
    const below = this.top - this.upperBits(weight);
    return below < BUCKETS ? below : BUCKETS - 1;
  }

  /** The bucket up to which there are at least `count` weights. */
  last({ weights, start, end }: Entries, count: number): number {
    const sizes = new Uint32Array(BUCKETS);
    for (let place = start; place < end; place++) sizes[this.of(weights[place])]++;
    let found = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      found += sizes[bucket];
      if (found >= count) return bucket;
    }
    return BUCKETS - 1;
  }

  private upperBits(weight: number): number {
    this.weight[0] = weight;
    return this.halves[1] >>> CUT_BITS;
  }
}

function entriesOf(reached: Reached | Entries): Entries {
  if (reached instanceof Accumulator) return reached.entries;
  if ('ordinals' in reached) return reached;
  const entries = {
    ordinals: new Int32Array(reached.size),
    weights: new Float64Array(reached.size),
    start: 0,
    end: 0,
  };
  reached.forEach((item, weight) => {
    entries.ordinals[entries.end] = item;
    entries.weights[entries.end++] = weight;
  });
  return entries;
}

/** Cheap, and good enough for candidates, which are ranked again. */
function laterNamedFirst(one: Ordinal, other: Ordinal): number {
  return other - one;
}
