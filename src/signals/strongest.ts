import type { Ordinal, Reached } from '../plugin/index.ts';
import { Accumulator, type Entries } from './accumulator.ts';
import { ScoredQueue } from './scored-queue.ts';

/**
 * Buckets of weights below the largest: 16 to each halving, so ten halvings apart; what is weaker still
 * shares the last.
 */
const BUCKETS = 160;
/** Bits of a double's upper half that are cut off: 4 bits of the fraction remain. */
const CUT_BITS = 16;

/**
 * Finds the strongest items of what was reached: counted into buckets first, so that thousands of weak items are never
 * put in order. Used again and again, one answer at a time.
 */
export class Strongest {
  private readonly sizes = new Int32Array(BUCKETS);
  private readonly queue: ScoredQueue;

  /** @param tieBreak as of `ScoredQueue` */
  constructor(tieBreak: (one: Ordinal, other: Ordinal) => number) {
    this.queue = new ScoredQueue(tieBreak);
  }

  /**
   * A queue of the `count` strongest, and of those that share a bucket with the weakest of them. Valid until the
   * next call. O(reached).
   */
  of(reached: Reached | Entries, count: number): ScoredQueue {
    const entries = entriesOf(reached);
    const { ordinals, weights, halves, start, end } = entries;
    const { queue } = this;
    queue.clear();
    if (count >= end - start) {
      for (let place = start; place < end; place++) queue.add(ordinals[place], weights[place]);
      return queue;
    }
    const top = topBits(entries);
    const last = this.lastBucket(entries, top, count);
    for (let place = start; place < end; place++) {
      if (bucket(halves, place, top) <= last) queue.add(ordinals[place], weights[place]);
    }
    return queue;
  }

  clear(): void {
    this.queue.clear();
  }

  /** The bucket up to which there are at least `count` weights. */
  private lastBucket({ halves, start, end }: Entries, top: number, count: number): number {
    const { sizes } = this;
    sizes.fill(0);
    for (let place = start; place < end; place++) {
      const of_place = bucket(halves, place, top);
      // The last one's size is not asked for. Most weights are in it, and each would wait for the one before it.
      if (of_place < BUCKETS - 1) sizes[of_place]++;
    }
    let found = 0;
    for (let at = 0; at < BUCKETS - 1; at++) {
      found += sizes[at];
      if (found >= count) return at;
    }
    return BUCKETS - 1;
  }
}

/** The bucket of an entry, 0 for the strongest: the upper bits of a positive double order like it. */
function bucket(halves: Int32Array, place: number, top: number): number {
  return Math.min(top - (halves[2 * place + 1] >>> CUT_BITS), BUCKETS - 1);
}

/** The upper bits of the largest weight. */
function topBits({ halves, start, end }: Entries): number {
  let largest = 0;
  for (let place = start; place < end; place++) largest = Math.max(largest, halves[2 * place + 1]);
  return largest >>> CUT_BITS;
}

function entriesOf(reached: Reached | Entries): Entries {
  if (reached instanceof Accumulator) return reached.entries;
  if ('ordinals' in reached) return reached;
  const ordinals = new Int32Array(reached.size);
  const weights = new Float64Array(reached.size);
  let end = 0;
  reached.forEach((item, weight) => {
    ordinals[end] = item;
    weights[end++] = weight;
  });
  return { ordinals, weights, halves: new Int32Array(weights.buffer), start: 0, end };
}
