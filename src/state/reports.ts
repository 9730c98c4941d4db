import { grown } from '../columns/growable.ts';
import { KeyMap } from '../columns/key-map.ts';
import { SortedNumbers } from '../columns/sorted-numbers.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from './change.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The current hides and reports of one item. */
export interface ReportCounts {
  hides_count: number;
  reports_count: number;
}

/** Higher totals are treated as equal, so that rank and key fit one number. */
const TOTAL_MAX = 2 ** 22 - 1;
if (TOTAL_MAX * LIMITS.keys_max > Number.MAX_SAFE_INTEGER)
  throw new Error('limits disagree: a sort key must fit a number');

/**
 * The hides and reports of each item, and the items in order of their number.
 *
 * Takes 12 bytes for each such item, about 4 for its place in the map, and 8 to 16 in the order. The order is built on
 * first use, so a fold need not maintain it.
 */
export class Reports {
  static readonly transient = ['hide', 'report', 'keyOf', 'order'];
  private readonly slot_of = new KeyMap();
  private item_of = new Uint32Array(64);
  private hides = new Uint32Array(64);
  private reports = new Uint32Array(64);
  private slots = 0;
  private readonly free: number[] = [];
  private readonly hide: number;
  private readonly report: number;
  private order: SortedNumbers | undefined;

  /** @param keyOf the key of an item with a name */
  constructor(
    vocabulary: Vocabulary,
    private readonly keyOf: (item: number) => Key,
  ) {
    this.hide = vocabulary.code('hide');
    this.report = vocabulary.code('report');
  }

  /** The number of items with hides or reports. */
  get size(): number {
    return this.slots - this.free.length;
  }

  /** Counts an act of any type in or out. */
  count(item: number, event_type: number, delta: 1 | -1): void {
    if (event_type !== this.hide && event_type !== this.report) return;
    const slot = this.slotFor(item);
    if (this.total(slot) > 0) this.order?.delete(this.place(slot));
    const counts = event_type === this.hide ? this.hides : this.reports;
    counts[slot] += delta;
    if (this.total(slot) === 0) this.release(slot);
    else this.order?.add(this.place(slot));
  }

  /** Forgets all acts on an item. Its name must still exist. */
  clear(item: number): void {
    const slot = this.slot_of.get(item);
    if (slot === NONE) return;
    this.order?.delete(this.place(slot));
    this.hides[slot] = 0;
    this.reports[slot] = 0;
    this.release(slot);
  }

  of(item: number): ReportCounts {
    const slot = this.slot_of.get(item);
    return slot === NONE
      ? { hides_count: 0, reports_count: 0 }
      : { hides_count: this.hides[slot], reports_count: this.reports[slot] };
  }

  /** Builds the order, which is then updated with each change. O(n log n) for n such items, then O(1). */
  arrange(): void {
    this.order ??= this.arranged();
  }

  /** Keys of the items with most hides and reports, ties by key. O(limit + n / 512). */
  mostReported(offset: number, limit: number): Key[] {
    this.arrange();
    return (this.order?.slice(offset, limit) ?? []).map((place) => place % LIMITS.keys_max);
  }

  private arranged(): SortedNumbers {
    const places = new Float64Array(this.size);
    let count = 0;
    for (let slot = 0; slot < this.slots; slot++)
      if (this.total(slot) > 0) places[count++] = this.place(slot);
    return new SortedNumbers(places);
  }

  /** The sort key of an item, ascending. */
  private place(slot: number): number {
    const total = Math.min(TOTAL_MAX, this.total(slot));
    return (TOTAL_MAX - total) * LIMITS.keys_max + this.keyOf(this.item_of[slot]);
  }

  private total(slot: number): number {
    return this.hides[slot] + this.reports[slot];
  }

  private slotFor(item: number): number {
    const known = this.slot_of.get(item);
    if (known !== NONE) return known;
    const slot = this.free.pop() ?? this.slots++;
    this.item_of = grown(this.item_of, slot + 1);
    this.hides = grown(this.hides, slot + 1);
    this.reports = grown(this.reports, slot + 1);
    this.item_of[slot] = item;
    this.slot_of.set(item, slot);
    return slot;
  }

  private release(slot: number): void {
    this.slot_of.delete(this.item_of[slot]);
    this.item_of[slot] = 0;
    this.free.push(slot);
  }
}
