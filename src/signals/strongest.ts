import { grown } from '../columns/growable.ts';
import type { Ordinal, Reached } from '../plugin/index.ts';
import { Accumulator, type Entries } from './accumulator.ts';
import { ScoredQueue } from './scored-queue.ts';

/**
 * The number of weight buckets below the largest weight.
 *
 * There are 16 per halving, for ten halvings. Weaker entries share the last bucket.
 */
const BUCKETS = 160;
/** The number of low bits to drop of a double's upper half. 4 bits of the fraction remain. */
const CUT_BITS = 16;
/** The number of sampled entries to estimate the weights from. */
const SAMPLE = 256;
/** Sampling needs at least this multiple of the sample size. */
const SAMPLED_FROM = 2;
/** The safety margin of the estimate, in standard deviations. */
const MARGIN = 3;

/**
 * Selects the strongest entries. Reused, one result at a time.
 *
 * A sample gives a lower bound, and the entries above it are counted into buckets. So thousands of weak entries are
 * never sorted.
 */
export class Strongest {
  private readonly sizes = new Int32Array(BUCKETS);
  private readonly sample = new Int32Array(SAMPLE);
  /** The places of entries that may be among the strongest. */
  private places = new Int32Array(512);
  private readonly queue: ScoredQueue;

  constructor(tieBreak: (one: Ordinal, other: Ordinal) => number) {
    this.queue = new ScoredQueue(tieBreak);
  }

  /**
   * A queue of the `count` strongest entries, plus others of the weakest one's bucket.
   *
   * Valid until the next call. O(entries).
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
    // The estimate was too high, so it is ignored.
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
   * The upper half of a weight that most likely is a lower bound of the `count` strongest.
   *
   * It is the weight of their share of the sample, with a safety margin. 0 if a sample does not pay off.
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

  /** Writes the places of all entries of at least this weight to `places`, and returns their number. */
  private atLeast(least: number, { halves, start, end }: Entries): number {
    this.places = grown(this.places, end - start + 1);
    const { places } = this;
    let found = 0;
    for (let place = start; place < end; place++) {
      // Branch-free, as branches would be unpredictable: the next place overwrites a weak one.
      places[found] = place;
      found += 1 + ((halves[2 * place + 1] - least) >> 31);
    }
    return found;
  }

  /** The bucket up to which at least `count` of the first `found` places are counted. */
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

/** The bucket of a weight; 0 for the strongest. The upper bits of positive doubles sort like the doubles. */
function bucketOf(half: number, top: number): number {
  return Math.min((top >>> CUT_BITS) - (half >>> CUT_BITS), BUCKETS - 1);
}

/** The first bucket at which the sum of counts is at least `count`. */
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
