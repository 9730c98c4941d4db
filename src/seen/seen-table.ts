import type { Seconds } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { SeenRun } from './head.ts';

/** Keys are below it. */
const KEYS = 2 ** 31;
/** The places of runs that are added at once are below it, so that a key and a place fit one number. */
const PLACES = 2 ** 21;

/**
 * Seen items as typed arrays, sorted by key. It never changes. About 8 bytes an item, for at most `seen_items_max`.
 *
 * The place of an item counts all that was recorded, and is that of the last time that it was seen.
 */
export class SeenTable {
  static readonly EMPTY = new SeenTable(
    new Uint32Array(),
    new Uint32Array(),
    new Float64Array(),
    new Float64Array(),
  );

  private constructor(
    /** Ascending. */
    readonly keys: Uint32Array,
    /** By the index of `keys`. */
    private readonly places: Uint32Array,
    /** By run: the place after its last item, and its time. */
    private readonly run_ends: Float64Array,
    private readonly run_times: Float64Array,
  ) {}

  get size(): number {
    return this.keys.length;
  }

  /** The place after the last one. */
  get end(): number {
    return this.run_ends.at(-1) ?? 0;
  }

  get bytes(): number {
    return 8 * this.keys.length + 16 * this.run_ends.length;
  }

  /** The table with further runs, which were recorded later. O(size + added · log added). */
  with(runs: readonly SeenRun[]): SeenTable {
    if (runs.length === 0) return this;
    const { keys: old_keys, places: old_places, end } = this;
    const added = addedItems(runs);
    const first_place = end + added.length - LIMITS.seen_items_max;
    const keys = new Uint32Array(old_keys.length + added.length);
    const places = new Uint32Array(keys.length);
    let count = 0;
    const push = (key: number, place: number) => {
      if (place < first_place) return;
      keys[count] = key;
      places[count++] = place;
    };
    let old = 0;
    for (let at = 0; at < added.length; at++) {
      const key = Math.floor(added[at] / PLACES);
      // The last of equal keys has the last place.
      if (at + 1 < added.length && Math.floor(added[at + 1] / PLACES) === key) continue;
      for (; old < old_keys.length && old_keys[old] < key; old++) push(old_keys[old], old_places[old]);
      if (old_keys[old] === key) old++;
      push(key, end + (added[at] % PLACES));
    }
    for (; old < old_keys.length; old++) push(old_keys[old], old_places[old]);
    let run_end = end;
    const ends = runs.map((run) => (run_end += run.keys.length));
    return new SeenTable(
      keys.slice(0, count),
      places.slice(0, count),
      Float64Array.from([...this.run_ends, ...ends]),
      Float64Array.from([...this.run_times, ...runs.map(({ time }) => time)]),
    );
  }

  /** The place of an item; -1 if it is not in the table. O(log size). */
  place(key: number): number {
    const { keys } = this;
    let from = 0;
    let until = keys.length;
    while (from < until) {
      const middle = (from + until) >>> 1;
      if (keys[middle] < key) from = middle + 1;
      else until = middle;
    }
    return keys[from] === key ? this.places[from] : -1;
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

  /** Keys in the order in which the items were last seen, from a place on. O(size · log size). */
  inOrder(from = 0): Uint32Array {
    const ordered = new Float64Array(this.keys.length);
    let count = 0;
    for (const [at, place] of this.places.entries())
      if (place >= from) ordered[count++] = (place - from) * KEYS + this.keys[at];
    return Uint32Array.from(ordered.subarray(0, count).sort(), (item) => item % KEYS);
  }
}

/** `key · PLACES + place` of all items, ascending. */
function addedItems(runs: readonly SeenRun[]): Float64Array {
  const items = new Float64Array(runs.reduce((count, { keys }) => count + keys.length, 0));
  let place = 0;
  for (const { keys } of runs) for (const key of keys) items[place] = key * PLACES + place++;
  return items.sort();
}
