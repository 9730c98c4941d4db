import type { Ordinal } from '../plugin/index.ts';
import type { PageItem, PromotedItem } from './page-item.ts';

/** The items of a list that have not been shown. */
export class Rest<T extends PageItem> {
  /** Per index, where to continue the search, so that a run of shown items is skipped in one step. */
  private readonly next: Int32Array;

  constructor(
    private readonly items: readonly T[],
    private readonly shown: ReadonlySet<Ordinal>,
  ) {
    this.next = Int32Array.from(items, (_, at) => at);
  }

  /** The first `count` items. Amortised O(count). */
  first(count: number): T[] {
    const { items } = this;
    const first: T[] = [];
    for (let at = this.from(0); at < items.length && first.length < count; at = this.from(at + 1))
      first.push(items[at]);
    return first;
  }

  /** The index of the first item from here on that was not shown. */
  private from(place: number): number {
    const { items, shown, next } = this;
    let at = place;
    while (at < items.length && (next[at] > at || shown.has(items[at].item))) at = Math.max(next[at], at + 1);
    for (let passed = place; passed < at && passed < items.length; ) {
      const further = Math.max(next[passed], passed + 1);
      next[passed] = at;
      passed = further;
    }
    return at;
  }
}

/**
 * Hand-picked items that have not been shown and that a page of `length` can show: pinned ones, and the first others.
 */
export class PromotedRest {
  private readonly pinned: Rest<PromotedItem>;
  private readonly others: Rest<PromotedItem>;

  constructor(
    promoted: readonly PromotedItem[],
    shown: ReadonlySet<Ordinal>,
    private readonly length: number,
  ) {
    const pinned = promoted.filter(({ rank }) => rank !== undefined && rank <= length);
    this.pinned = new Rest(pinned, shown);
    this.others = new Rest(
      promoted.filter(({ rank }) => rank === undefined),
      shown,
    );
  }

  /** The first `count` items, pinned ones first. */
  first(count: number): PromotedItem[] {
    const pinned = this.pinned.first(count);
    return [...pinned, ...this.others.first(Math.min(this.length, count - pinned.length))];
  }
}
