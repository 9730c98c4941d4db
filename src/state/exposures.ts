/** Entries of one viewer that are looked through. Bounds the work of an act for viewers who are shown very many items. */
const LOOKED_THROUGH_MAX = 5_000;
/** Entries of a new ring. The capacity is a power of two. */
const FIRST_CAPACITY = 1_024;

/**
 * Items that viewers of experiments were shown lately, in order of time.
 *
 * A ring of 12 bytes an entry. The entries of one viewer are a list, from the latest to the oldest. Entries are
 * identified by their position since the first one ever, so that an expired position is recognised.
 */
export class Exposures {
  private items = new Uint32Array(0);
  /** The distance to the viewer's previous entry; 0 if there is none. */
  private distances = new Uint32Array(0);
  /** Whole seconds. */
  private times = new Uint32Array(0);
  /** Positions of the oldest entry, and of the next one. */
  private oldest = 0;
  private next = 0;

  /** @param entries_max a power of two; further entries replace the oldest ones */
  constructor(private readonly entries_max: number) {}

  get size(): number {
    return this.next - this.oldest;
  }

  /**
   * Adds an entry. One that is older than the former ones expires with them. Amortised O(1).
   * @param item key
   * @param previous position of the viewer's previous entry; -1 if there is none
   * @returns the position
   */
  add(item: number, time: number, previous: number): number {
    if (this.size === this.items.length) this.makeRoom();
    const position = this.next++;
    const at = position & (this.items.length - 1);
    this.items[at] = item;
    this.distances[at] = previous < this.oldest ? 0 : position - previous;
    this.times[at] = Math.floor(time);
    return position;
  }

  /** Forgets entries before a time in seconds. */
  expire(before: number): void {
    const mask = this.items.length - 1;
    while (this.oldest < this.next && this.times[this.oldest & mask] < before) this.oldest++;
  }

  /** Forgets all entries and frees their memory. */
  clear(): void {
    this.oldest = this.next;
    this.items = new Uint32Array(0);
    this.distances = new Uint32Array(0);
    this.times = new Uint32Array(0);
  }

  /**
   * The time of a viewer's last entry about an item that is not later than `until`, in whole seconds. Undefined if
   * there is none among their latest `LOOKED_THROUGH_MAX` entries. O(these entries).
   * @param latest position of the viewer's latest entry
   */
  lastBefore(latest: number, item: number, until: number): number | undefined {
    const mask = this.items.length - 1;
    let position = latest;
    for (let entries = 0; entries < LOOKED_THROUGH_MAX && position >= this.oldest; entries++) {
      const at = position & mask;
      if (this.items[at] === item && this.times[at] <= until) return this.times[at];
      const distance = this.distances[at];
      if (distance === 0) return undefined;
      position -= distance;
    }
    return undefined;
  }

  private makeRoom(): void {
    const { items, distances, times } = this;
    const capacity = items.length;
    if (capacity >= this.entries_max) {
      this.oldest++;
      return;
    }
    const larger = Math.max(FIRST_CAPACITY, 2 * capacity);
    this.items = new Uint32Array(larger);
    this.distances = new Uint32Array(larger);
    this.times = new Uint32Array(larger);
    for (let position = this.oldest; position < this.next; position++) {
      const from = position & (capacity - 1);
      const to = position & (larger - 1);
      this.items[to] = items[from];
      this.distances[to] = distances[from];
      this.times[to] = times[from];
    }
  }
}
