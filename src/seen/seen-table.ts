import type { Seconds } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { SeenRun } from './head.ts';

/** Spreads keys over all 32 bits, and back: a product with an odd number can be undone. */
const SPREAD = 0x9e37_79b1;
const SPREAD_BACK = 0x0e8b_2f51;
/** Hashes are signed, as the engine handles unsigned 32-bit integers as doubles. */
const HASH_MIN = -(2 ** 31);
const hashOf = (key: number): number => Math.imul(key, SPREAD);
const keyOf = (hash: number): number => Math.imul(hash, SPREAD_BACK) >>> 0;
/** The average number of items in a bucket. */
const BUCKET_ITEMS = 4;
const FILTER_BITS = 8;
/** The places of runs that are added at once are below it, so that a hash and a place fit one number. */
const PLACES = 2 ** 21;

/**
 * Seen items as typed arrays, in buckets by a hash of their keys. It never changes. About 10 bytes an item, for at most
 * `seen_items_max`. Pages look up thousands of candidates, for which a search in sorted keys took three times as long.
 *
 * The place of an item counts all that was recorded, and is that of the last time that it was seen.
 */
export class SeenTable {
  static readonly EMPTY = new SeenTable(
    new Int32Array(),
    new Uint32Array(),
    new Uint32Array(),
    new Float64Array(),
  );

  /** The first index of each bucket of hashes, and the end of the last one. */
  private readonly starts: Uint32Array;
  /** A bit for each of at least `FILTER_BITS` hashes an item: most candidates were not seen, and end here. */
  private readonly filter: Int32Array;
  /** The word of `filter` for a hash is its distance to `HASH_MIN`, shifted by so many bits; the bit is by its low bits. */
  private readonly filter_shift: number;
  /** The bucket of a hash is its distance to `HASH_MIN`, shifted by so many bits. */
  private readonly shift: number;

  private constructor(
    /** Ascending. */
    private readonly hashes: Int32Array,
    /** By the index of `hashes`. */
    private readonly places: Uint32Array,
    /** By run: the place after its last item, and its time. */
    private readonly run_ends: Uint32Array,
    private readonly run_times: Float64Array,
  ) {
    const bits = Math.max(1, Math.ceil(Math.log2(hashes.length / BUCKET_ITEMS + 1)));
    this.shift = 32 - bits;
    this.starts = new Uint32Array(2 ** bits + 1);
    const word_bits = Math.max(1, Math.ceil(Math.log2((hashes.length * FILTER_BITS) / 32 + 1)));
    this.filter_shift = 32 - word_bits;
    this.filter = new Int32Array(2 ** word_bits);
    // By index: iterators of typed arrays take several times as long.
    for (let at = 0; at < hashes.length; at++) {
      const hash = hashes[at];
      this.starts[this.bucketOf(hash) + 1]++;
      this.filter[this.wordOf(hash)] |= 1 << hash;
    }
    for (let bucket = 1; bucket <= 2 ** bits; bucket++) this.starts[bucket] += this.starts[bucket - 1];
  }

  get size(): number {
    return this.hashes.length;
  }

  /** The place after the last one. */
  get end(): number {
    return this.run_ends.at(-1) ?? 0;
  }

  /** The time of the first run. Infinite without one. */
  get first_time(): Seconds {
    return this.run_times[0] ?? Number.POSITIVE_INFINITY;
  }

  get bytes(): number {
    return 8 * this.hashes.length + 4 * (this.starts.length + this.filter.length) + 12 * this.run_ends.length;
  }

  /** The table with further runs, which were recorded later. O(size + added · log added). */
  with(runs: readonly SeenRun[]): SeenTable {
    if (runs.length === 0) return this;
    const { hashes: old_hashes, places: old_places, end } = this;
    const added = addedItems(runs);
    const hashes = new Int32Array(old_hashes.length + added.length);
    const places = new Uint32Array(hashes.length);
    let count = 0;
    let old = 0;
    for (let at = 0; at < added.length; at++) {
      const hash = Math.floor(added[at] / PLACES);
      // The last of equal hashes has the last place.
      if (at + 1 < added.length && Math.floor(added[at + 1] / PLACES) === hash) continue;
      for (; old < old_hashes.length && old_hashes[old] < hash; old++) {
        hashes[count] = old_hashes[old];
        places[count++] = old_places[old];
      }
      if (old_hashes[old] === hash) old++;
      hashes[count] = hash;
      places[count++] = end + (added[at] - hash * PLACES);
    }
    for (; old < old_hashes.length; old++) {
      hashes[count] = old_hashes[old];
      places[count++] = old_places[old];
    }
    const kept = keptFrom(end + added.length - LIMITS.seen_items_max, hashes, places, count);
    return new SeenTable(hashes.subarray(0, kept), places.subarray(0, kept), ...this.withRuns(runs));
  }

  /** `run_ends` and `run_times` with those of further runs. */
  private withRuns(runs: readonly SeenRun[]): [Uint32Array, Float64Array] {
    const count = this.run_ends.length;
    const ends = new Uint32Array(count + runs.length);
    const times = new Float64Array(ends.length);
    ends.set(this.run_ends);
    times.set(this.run_times);
    let { end } = this;
    for (const [index, { keys, time }] of runs.entries()) {
      end += keys.length;
      ends[count + index] = end;
      times[count + index] = time;
    }
    return [ends, times];
  }

  /** The place of an item; -1 if it is not in the table. O(1). */
  place(key: number): number {
    const { hashes, starts } = this;
    const hash = hashOf(key);
    if ((this.filter[this.wordOf(hash)] & (1 << hash)) === 0) return -1;
    const bucket = this.bucketOf(hash);
    for (let at = starts[bucket]; at < starts[bucket + 1]; at++)
      if (hashes[at] === hash) return this.places[at];
    return -1;
  }

  private wordOf(hash: number): number {
    return (hash ^ HASH_MIN) >>> this.filter_shift;
  }

  private bucketOf(hash: number): number {
    return (hash ^ HASH_MIN) >>> this.shift;
  }

  /** When the item at a place was recorded. O(log runs). */
  timeAt(place: number): Seconds {
    let from = 0;
    let until = this.run_ends.length;
    while (from < until) {
      const middle = (from + until) >>> 1;
      if (this.run_ends[middle] <= place) from = middle + 1;
      else until = middle;
    }
    return this.run_times[from];
  }

  /** Keys in the order in which the items were last seen, from a place on. O(size). */
  inOrder(from = 0): Uint32Array {
    const { hashes, places } = this;
    const index_of_place = new Int32Array(Math.max(0, this.end - from)).fill(-1);
    for (let at = 0; at < places.length; at++) if (places[at] >= from) index_of_place[places[at] - from] = at;
    const keys = new Uint32Array(places.length);
    let count = 0;
    for (const at of index_of_place) if (at >= 0) keys[count++] = keyOf(hashes[at]);
    return keys.slice(0, count);
  }
}

/** `hash · PLACES + place` of all items, ascending. */
function addedItems(runs: readonly SeenRun[]): Float64Array {
  const items = new Float64Array(runs.reduce((count, { keys }) => count + keys.length, 0));
  let place = 0;
  for (const { keys } of runs)
    for (let at = 0; at < keys.length; at++) items[place] = hashOf(keys[at]) * PLACES + place++;
  return items.sort();
}

/** Leaves out the first `count` items that have a place before `first_place`. Returns how many are left. */
function keptFrom(first_place: number, hashes: Int32Array, places: Uint32Array, count: number): number {
  if (first_place <= 0) return count;
  let kept = 0;
  for (let at = 0; at < count; at++) {
    if (places[at] < first_place) continue;
    hashes[kept] = hashes[at];
    places[kept++] = places[at];
  }
  return kept;
}
