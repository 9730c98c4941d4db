import { NONE } from '../plugin/index.ts';
import { grown } from './growable.ts';
import { Slabs } from './slabs.ts';

/** Dead entries at the front of a list are removed above this share of the live entries. */
const DEAD_SHARE_MAX = 0.25;

/**
 * The items of each value of one column (author, channel …), ordered by creation time, the newest last.
 *
 * The oldest items are usually removed first. So a list may begin with dead entries, which are removed many at a time.
 */
export class Postings {
  private readonly slabs = new Slabs({ item: new Uint32Array(256) });
  /** For each value: the number of dead entries at the front of its list. */
  private dead = new Uint32Array(64);

  /** @param created_at the time of an item, which must not change while the item is listed */
  constructor(private readonly created_at: (item: number) => number) {}

  length(value: number): number {
    return this.slabs.length(value) - this.deadOf(value);
  }

  start(value: number): number {
    return this.slabs.start(value) + this.deadOf(value);
  }

  end(value: number): number {
    return this.slabs.end(value);
  }

  item(at: number): number {
    return this.slabs.columns.item[at];
  }

  /** O(log n), plus moving newer items. */
  add(value: number, item: number): void {
    const place = this.after(value, this.created_at(item));
    // Inserting may replace the column, so it is read afterwards.
    const at = this.slabs.insert(value, this.end(value) - place);
    this.slabs.columns.item[at] = item;
  }

  /** O(log n), plus the items of the same time and moving the items on the shorter side. */
  remove(value: number, item: number): void {
    const at = this.find(value, item);
    if (at === NONE) return;
    const start = this.start(value);
    if (at - start < this.end(value) - at) this.removeTowardsFront(value, start, at);
    else this.slabs.remove(value, at);
    this.slabs.trim(value);
  }

  clear(value: number): void {
    if (value < this.dead.length) this.dead[value] = 0;
    this.slabs.clear(value);
  }

  /** The position of the first item that is not older than `time`. O(log n). */
  since(value: number, time: number): number {
    let low = this.start(value);
    let high = this.end(value);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.created_at(this.item(middle)) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position after the last item that is not newer than `time`. O(log n), or O(1) if that is the newest item. */
  until(value: number, time: number): number {
    const end = this.end(value);
    if (end === this.start(value) || this.created_at(this.item(end - 1)) <= time) return end;
    return this.after(value, time);
  }

  /** Up to `limit` items of a value that `admits` accepts, newest first. O(examined items). */
  newest(value: number, limit: number, admits: (item: number) => boolean): number[] {
    const newest: number[] = [];
    for (let at = this.end(value) - 1; at >= this.start(value) && newest.length < limit; at--) {
      const item = this.item(at);
      if (admits(item)) newest.push(item);
    }
    return newest;
  }

  private find(value: number, item: number): number {
    const time = this.created_at(item);
    let last = this.after(value, time) - 1;
    if (last >= this.start(value) && this.item(last) === item) return last;
    // Of items with equal times, the first in the list are usually removed first.
    for (let first = this.since(value, time); first <= last; first++, last--) {
      if (this.item(first) === item) return first;
      if (this.item(last) === item) return last;
    }
    return NONE;
  }

  private deadOf(value: number): number {
    return value < this.dead.length ? this.dead[value] : 0;
  }

  private removeTowardsFront(value: number, start: number, at: number): void {
    this.slabs.columns.item.copyWithin(start + 1, start, at);
    this.dead = grown(this.dead, value + 1);
    const dead = ++this.dead[value];
    if (dead <= DEAD_SHARE_MAX * this.length(value)) return;
    this.slabs.removeFirst(value, dead);
    this.dead[value] = 0;
  }

  /** The position after the last item that is not newer than `time`. */
  private after(value: number, time: number): number {
    let low = this.start(value);
    let high = this.end(value);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.created_at(this.item(middle)) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
