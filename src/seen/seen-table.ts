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
/** The places of runs that are added at once are below it, so that a hash and a place fit one number. */
const PLACES = 2 ** 21;

/**
 * Seen items as typed arrays, in buckets by a hash of their keys. It never changes. About 9 bytes an item, for at most
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
    for (const hash of hashes) this.starts[this.bucketOf(hash) + 1]++;
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
    return 8 * this.hashes.length + 4 * this.starts.length + 12 * this.run_ends.length;
  }

  /** The table with further runs, which were recorded later. O(size + added · log added). */
  with(runs: readonly SeenRun[]): SeenTable {
    if (runs.length === 0) return this;
    const { hashes: old_hashes, places: old_places, end } = this;
    const added = addedItems(runs);
    const first_place = end + added.length - LIMITS.seen_items_max;
    const hashes = new Int32Array(old_hashes.length + added.length);
    const places = new Uint32Array(hashes.length);
    let count = 0;
    const push = (hash: number, place: number) => {
      if (place < first_place) return;
      hashes[count] = hash;
      places[count++] = place;
    };
    let old = 0;
    for (let at = 0; at < added.length; at++) {
      const hash = Math.floor(added[at] / PLACES);
      // The last of equal hashes has the last place.
      if (at + 1 < added.length && Math.floor(added[at + 1] / PLACES) === hash) continue;
      for (; old < old_hashes.length && old_hashes[old] < hash; old++) push(old_hashes[old], old_places[old]);
      if (old_hashes[old] === hash) old++;
      push(hash, end + (added[at] - hash * PLACES));
    }
    for (; old < old_hashes.length; old++) push(old_hashes[old], old_places[old]);
    let run_end = end;
    const ends = runs.map((run) => (run_end += run.keys.length));
    return new SeenTable(
      hashes.slice(0, count),
      places.slice(0, count),
      Uint32Array.from([...this.run_ends, ...ends]),
      Float64Array.from([...this.run_times, ...runs.map(({ time }) => time)]),
    );
  }

  /** The place of an item; -1 if it is not in the table. O(1). */
  place(key: number): number {
    const { hashes, starts } = this;
    const hash = hashOf(key);
    const bucket = this.bucketOf(hash);
    for (let at = starts[bucket]; at < starts[bucket + 1]; at++)
      if (hashes[at] === hash) return this.places[at];
    return -1;
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
  for (const { keys } of runs) for (const key of keys) items[place] = hashOf(key) * PLACES + place++;
  return items.sort();
}
