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

  /** O(items of the value that are newer). */
  add(value: number, item: number): void {
    const time = this.created_at(item);
    const start = this.start(value);
    const end = this.end(value);
    let place = end;
    while (place > start && this.created_at(this.item(place - 1)) > time) place--;
    // Inserting may replace the column: it must be looked up afterwards.
    const at = this.slabs.insert(value, end - place);
    this.slabs.columns.item[at] = item;
  }

  /** O(items of the value that are newer). */
  remove(value: number, item: number): void {
    for (let at = this.end(value) - 1; at >= this.start(value); at--) {
      if (this.item(at) !== item) continue;
      this.slabs.remove(value, at);
      return;
    }
  }
}
