import type { PromotedItem } from '../pipeline/mixing.ts';
import type { PageItem } from '../pipeline/page-item.ts';
import type { Ordinal } from '../plugin/index.ts';

/** A list without what has been shown. */
export class Rest<T extends PageItem> {
  /** By place, where to go on looking: a run of shown items is passed over in one step. */
  private readonly next: Int32Array;

  constructor(
    private readonly items: readonly T[],
    private readonly shown: ReadonlySet<Ordinal>,
  ) {
    this.next = Int32Array.from(items, (_, at) => at);
  }

  /** Its first `count` items. Amortised O(count). */
  first(count: number): T[] {
    const { items } = this;
    const first: T[] = [];
    for (let at = this.from(0); at < items.length && first.length < count; at = this.from(at + 1))
      first.push(items[at]);
    return first;
  }

  /** The first place from this one on that was not shown. */
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
 * The same of hand-picked items, as far as a page of `length` items can show them: those pinned to one of its slots, and of
 * the others the first so many.
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

  /** Its first `count` items, pinned ones first. */
  first(count: number): PromotedItem[] {
    const pinned = this.pinned.first(count);
    return [...pinned, ...this.others.first(Math.min(this.length, count - pinned.length))];
  }
}
