import { Slabs } from './slabs.ts';

/**
 * Items of each value of one column (author, channel …), ordered by creation time: the newest is last.
 */
export class Postings {
  private readonly slabs = new Slabs({ item: new Uint32Array(256) });

  /** @param created_at the time of an item, which must not change while the item is listed */
  constructor(private readonly created_at: (item: number) => number) {}

  length(value: number): number {
    return this.slabs.length(value);
  }

  start(value: number): number {
    return this.slabs.start(value);
  }

  /** Position after the newest item. */
  end(value: number): number {
    return this.slabs.end(value);
  }

  item(at: number): number {
    return this.slabs.columns.item[at];
  }

  /** O(log n) and the moving of newer items. */
  add(value: number, item: number): void {
    const place = this.after(value, this.created_at(item));
    // Inserting may replace the column: it must be looked up afterwards.
    const at = this.slabs.insert(value, this.end(value) - place);
    this.slabs.columns.item[at] = item;
  }

  /** O(log n), items of the same time, and the moving of newer items. */
  remove(value: number, item: number): void {
    for (let at = this.after(value, this.created_at(item)) - 1; at >= this.start(value); at--) {
      if (this.item(at) !== item) continue;
      this.slabs.remove(value, at);
      return;
    }
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

  /** Up to `limit` items of a value that `admits` keeps, newest first. O(items looked at). */
  newest(value: number, limit: number, admits: (item: number) => boolean): number[] {
    const newest: number[] = [];
    for (let at = this.end(value) - 1; at >= this.start(value) && newest.length < limit; at--) {
      const item = this.item(at);
      if (admits(item)) newest.push(item);
    }
    return newest;
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
