/** Entries of one viewer that are looked through. Bounds the work of an act for viewers who are shown very many items. */
const LOOKED_THROUGH_MAX = 5_000;
/** Entries of a new ring, which every account gets. The capacity is a power of two. */
const FIRST_CAPACITY = 1_024;

/** The shown items of an account, in order of time. 12 bytes an entry. */
interface Ring {
  items: Uint32Array;
  /** The distance to the viewer's previous entry; 0 if there is none. */
  distances: Uint32Array;
  /** Whole seconds. */
  times: Uint32Array;
  /** Positions of the oldest entry, and of the next one. */
  oldest: number;
  next: number;
}

/**
 * Items that viewers of experiments were shown lately: a ring for each account.
 *
 * The entries of one viewer are a list, from the latest to the oldest. Entries are identified by their position since
 * the first one of the account, so that an expired position is recognised.
 */
export class Exposures {
  /** Not part of a checkpoint. */
  static readonly transient = ['entries_max'];
  private readonly rings = new Map<string, Ring>();

  /** @param entries_max of all rings together, a power of two. A ring may have as many as it leaves free. */
  constructor(private readonly entries_max: number) {}

  get size(): number {
    let entries = 0;
    for (const { oldest, next } of this.rings.values()) entries += next - oldest;
    return entries;
  }

  /**
   * Adds an entry. One that is older than the former ones expires with them. Amortised O(1).
   * @param previous position of the viewer's previous entry; -1 if there is none
   * @returns the position
   */
  add(account: string, item: number, time: number, previous: number): number {
    const ring = this.ringOf(account);
    if (ring.next - ring.oldest === ring.items.length) this.makeRoom(ring);
    const position = ring.next++;
    const at = position & (ring.items.length - 1);
    ring.items[at] = item;
    ring.distances[at] = previous < ring.oldest ? 0 : position - previous;
    ring.times[at] = Math.floor(time);
    return position;
  }

  expire(account: string, before: number): void {
    const ring = this.rings.get(account);
    if (ring === undefined) return;
    const mask = ring.items.length - 1;
    while (ring.oldest < ring.next && ring.times[ring.oldest & mask] < before) ring.oldest++;
  }

  keepAccounts(isKept: (account: string) => boolean): void {
    for (const account of this.rings.keys()) if (!isKept(account)) this.rings.delete(account);
  }

  /**
   * The time of a viewer's last entry about an item that is not later than `until`, in whole seconds. Undefined if
   * there is none among their latest `LOOKED_THROUGH_MAX` entries. O(these entries).
   */
  lastBefore(account: string, latest: number, item: number, until: number): number | undefined {
    const ring = this.rings.get(account);
    if (ring === undefined) return undefined;
    const { items, distances, times, oldest } = ring;
    const mask = items.length - 1;
    let position = latest;
    for (let entries = 0; entries < LOOKED_THROUGH_MAX && position >= oldest; entries++) {
      const at = position & mask;
      if (items[at] === item && times[at] <= until) return times[at];
      const distance = distances[at];
      if (distance === 0) return undefined;
      position -= distance;
    }
    return undefined;
  }

  private ringOf(account: string): Ring {
    const known = this.rings.get(account);
    if (known !== undefined) return known;
    const ring = { ...columnsOf(FIRST_CAPACITY), oldest: 0, next: 0 };
    this.rings.set(account, ring);
    return ring;
  }

  private makeRoom(ring: Ring): void {
    const { items, distances, times, oldest, next } = ring;
    const capacity = items.length;
    if (!this.mayGrow(capacity)) {
      ring.oldest++;
      return;
    }
    const larger = columnsOf(2 * capacity);
    for (let position = oldest; position < next; position++) {
      const from = position & (capacity - 1);
      const to = position & (2 * capacity - 1);
      larger.items[to] = items[from];
      larger.distances[to] = distances[from];
      larger.times[to] = times[from];
    }
    Object.assign(ring, larger);
  }

  /** Whether a ring of this capacity may double: then it has at most as many entries as all rings leave free. */
  private mayGrow(capacity: number): boolean {
    let used = capacity;
    for (const { items } of this.rings.values()) used += items.length;
    return 2 * capacity <= this.entries_max - used;
  }
}

function columnsOf(capacity: number): Pick<Ring, 'items' | 'distances' | 'times'> {
  return {
    items: new Uint32Array(capacity),
    distances: new Uint32Array(capacity),
    times: new Uint32Array(capacity),
  };
}
