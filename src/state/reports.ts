import { grown } from '../columns/growable.ts';
import { KeyMap } from '../columns/key-map.ts';
import { SortedNumbers } from '../columns/sorted-numbers.ts';
import { LIMITS } from '../limits.ts';
import { type Key, NONE } from '../model/key.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface ReportCounts {
  hides_count: number;
  reports_count: number;
}

/** Totals from this one on are treated as equal, so that an item's place and key fit one number. */
const TOTAL_MAX = 2 ** 21 - 1;
/** Places of open items. Those of dismissed items follow. */
const OPEN_PLACES = TOTAL_MAX + 1;
if (2 * OPEN_PLACES * LIMITS.keys_max > Number.MAX_SAFE_INTEGER + 1)
  throw new Error('limits disagree: a sort key must fit a number');
const DISMISSED_MAX = 2 ** 32 - 1;

/**
 * The hides and reports of each item, and the items in order of their number.
 *
 * An item is dismissed while it has no more of them than a moderator dismissed. The order has open items first, then
 * dismissed ones.
 *
 * Takes 16 bytes for each such item, about 4 for its place in the map, and 8 to 16 in the order. The order is built on
 * first use, so a fold need not maintain it.
 */
export class Reports {
  static readonly transient = ['hide', 'report', 'keyOf', 'order'];
  private readonly slot_of = new KeyMap();
  private item_of = new Uint32Array(64);
  private hides = new Uint32Array(64);
  private reports = new Uint32Array(64);
  private dismissed = new Uint32Array(64);
  private slots = 0;
  private readonly free: number[] = [];
  private readonly hide: number;
  private readonly report: number;
  private order: SortedNumbers | undefined;
  open_count = 0;
  dismissed_count = 0;

  constructor(
    vocabulary: Vocabulary,
    private readonly keyOf: (item: number) => Key,
  ) {
    this.hide = vocabulary.code('hide');
    this.report = vocabulary.code('report');
  }

  count(item: number, event_type: number, delta: 1 | -1): void {
    if (event_type !== this.hide && event_type !== this.report) return;
    const slot = this.slotFor(item);
    this.unlist(slot);
    const counts = event_type === this.hide ? this.hides : this.reports;
    counts[slot] += delta;
    this.list(slot);
  }

  /** Dismisses so many hides and reports of an item, whether or not it has as many. 0 for none. Its name must exist. */
  dismiss(item: number, count: number): void {
    if (count === this.dismissedOf(item)) return;
    const slot = this.slotFor(item);
    this.unlist(slot);
    this.dismissed[slot] = Math.min(DISMISSED_MAX, count);
    this.list(slot);
  }

  /** Forgets all acts on an item, and what was dismissed. Its name must still exist. */
  clear(item: number): void {
    const slot = this.slot_of.get(item);
    if (slot === NONE) return;
    this.unlist(slot);
    this.hides[slot] = 0;
    this.reports[slot] = 0;
    this.dismissed[slot] = 0;
    this.list(slot);
  }

  of(item: number): ReportCounts {
    const slot = this.slot_of.get(item);
    return slot === NONE
      ? { hides_count: 0, reports_count: 0 }
      : { hides_count: this.hides[slot], reports_count: this.reports[slot] };
  }

  /** The number of hides and reports of an item that were dismissed, also if it has fewer by now. */
  dismissedOf(item: number): number {
    const slot = this.slot_of.get(item);
    return slot === NONE ? 0 : this.dismissed[slot];
  }

  /** Builds the order, which is then updated with each change. O(n log n) for n such items, then O(1). */
  arrange(): void {
    this.order ??= this.arranged();
  }

  /**
   * Keys of open or of dismissed items with most hides and reports, ties by key. O(limit + n / 512).
   * @param dismissed lists the dismissed items. Default: the open ones
   */
  mostReported(offset: number, limit: number, dismissed = false): Key[] {
    this.arrange();
    const start = dismissed ? this.open_count + offset : offset;
    const count = dismissed ? limit : Math.min(limit, this.open_count - offset);
    return (this.order?.slice(start, count) ?? []).map((place) => place % LIMITS.keys_max);
  }

  private arranged(): SortedNumbers {
    const places = new Float64Array(this.open_count + this.dismissed_count);
    let count = 0;
    for (let slot = 0; slot < this.slots; slot++)
      if (this.total(slot) > 0) places[count++] = this.place(slot);
    return new SortedNumbers(places);
  }

  /** Takes a slot out of the order before its numbers change. */
  private unlist(slot: number): void {
    if (this.total(slot) === 0) return;
    if (this.isDismissed(slot)) this.dismissed_count--;
    else this.open_count--;
    this.order?.delete(this.place(slot));
  }

  /** Puts a slot back after its numbers have changed, or frees it if none is left. */
  private list(slot: number): void {
    if (this.total(slot) > 0) {
      if (this.isDismissed(slot)) this.dismissed_count++;
      else this.open_count++;
      this.order?.add(this.place(slot));
    } else if (this.dismissed[slot] === 0) this.release(slot);
  }

  /** The sort key of an item, ascending. */
  private place(slot: number): number {
    const first = this.isDismissed(slot) ? OPEN_PLACES : 0;
    const total = Math.min(TOTAL_MAX, this.total(slot));
    return (first + TOTAL_MAX - total) * LIMITS.keys_max + this.keyOf(this.item_of[slot]);
  }

  private isDismissed(slot: number): boolean {
    return this.total(slot) <= this.dismissed[slot];
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
    this.dismissed = grown(this.dismissed, slot + 1);
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
