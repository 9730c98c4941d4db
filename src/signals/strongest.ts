import type { Ordinal, Reached } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import { Accumulator, type Entries } from './accumulator.ts';
import { ScoredQueue } from './scored-queue.ts';

/**
 * Buckets of weights below the largest: 16 to each halving, so ten halvings apart; what is weaker still
 * shares the last.
 */
const BUCKETS = 160;
/** Bits of a double's upper half that are cut off: 4 bits of the fraction remain. */
const CUT_BITS = 16;
/** Entries that tell about how strong the strongest are, … */
const SAMPLE = 256;
/** … where there are so many times as many. */
const SAMPLED_FROM = 2;
/** Standard deviations by which more of the sample are let through than is their share. */
const MARGIN = 3;

/**
 * Finds the strongest items of what was reached: a sample tells which are far too weak, the others are counted into
 * buckets, so that thousands of weak items are never put in order. Used again and again, one answer at a time.
 */
export class Strongest {
  private readonly sizes = new Int32Array(BUCKETS);
  private readonly sample = new Int32Array(SAMPLE);
  /** Places of entries that may be among the strongest. */
  private places = new Int32Array(512);
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
    let found = this.atLeast(this.leastOf(entries, count), entries);
    // The sample misled: nothing is told by it.
    if (found < count) found = this.atLeast(0, entries);
    const { places } = this;
    const top = topOf(halves, places, found);
    const last = this.lastBucket(halves, found, top, count);
    for (let at = 0; at < found; at++) {
      const place = places[at];
      if (bucketOf(halves[2 * place + 1], top) <= last) queue.add(ordinals[place], weights[place]);
    }
    return queue;
  }

  clear(): void {
    this.queue.clear();
  }

  /**
   * The upper half of a weight below which none of the `count` strongest is, most likely: what the weakest of their share
   * of a sample has, and of some more to be on the safe side. 0 when a sample is not worth its time.
   */
  private leastOf({ halves, start, end }: Entries, count: number): number {
    const length = end - start;
    if (length < SAMPLED_FROM * SAMPLE) return 0;
    const { sample } = this;
    const step = length / SAMPLE;
    for (let at = 0; at < SAMPLE; at++) sample[at] = halves[2 * (start + Math.floor(at * step)) + 1];
    const share = count / step;
    const rank = Math.ceil(share + MARGIN * Math.sqrt(share));
    if (rank >= SAMPLE) return 0;
    let top = 0;
    for (let at = 0; at < SAMPLE; at++) top = Math.max(top, sample[at]);
    const { sizes } = this;
    sizes.fill(0);
    for (let at = 0; at < SAMPLE; at++) sizes[bucketOf(sample[at], top)]++;
    const bucket = bucketWith(sizes, rank);
    return bucket < BUCKETS - 1 ? ((top >>> CUT_BITS) - bucket) << CUT_BITS : 0;
  }

  /** Puts the places of all entries of at least this weight into `places`, and returns how many there are. */
  private atLeast(least: number, { halves, start, end }: Entries): number {
    this.places = grown(this.places, end - start + 1);
    const { places } = this;
    let found = 0;
    for (let place = start; place < end; place++) {
      // Without a branch, as none could be foreseen: the next overwrites what is too weak.
      places[found] = place;
      found += 1 + ((halves[2 * place + 1] - least) >> 31);
    }
    return found;
  }

  /** The bucket up to which there are at least `count` of the first `found` of `places`. */
  private lastBucket(halves: Int32Array, found: number, top: number, count: number): number {
    const { sizes, places } = this;
    sizes.fill(0);
    for (let at = 0; at < found; at++) sizes[bucketOf(halves[2 * places[at] + 1], top)]++;
    return bucketWith(sizes, count);
  }
}

/** The upper half of the largest weight. */
function topOf(halves: Int32Array, places: Int32Array, found: number): number {
  let top = 0;
  for (let at = 0; at < found; at++) top = Math.max(top, halves[2 * places[at] + 1]);
  return top;
}

/** The bucket of a weight by its upper half, 0 for the strongest: the upper bits of a positive double order like it. */
function bucketOf(half: number, top: number): number {
  return Math.min((top >>> CUT_BITS) - (half >>> CUT_BITS), BUCKETS - 1);
}

/** The first bucket that has, with all before it, at least `count`. */
function bucketWith(sizes: Int32Array, count: number): number {
  let found = 0;
  for (let at = 0; at < BUCKETS - 1; at++) {
    found += sizes[at];
    if (found >= count) return at;
  }
  return BUCKETS - 1;
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
