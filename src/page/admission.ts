import type { Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { ItemBits } from './item-bits.ts';

/** The item passed the feed's filters and rules. */
const ADMITTED = 1;
/** The item is a candidate of the page. */
const OFFERED = 2;

/** The tests that decide what one page may show. */
export interface PageTests {
  /** Whether the item is eligible and passes the feed's filters. */
  filtered: Test;
  /** Whether the item passes the feed's rules. */
  visible: Test;
  /** Contains all items that pass the filters. It is checked first, because that is cheap. */
  pool?: ItemBits;
}

/** What one page may show. Remembers test results and candidates, so that hardly any item is tested twice. */
export class Admission {
  /** Not remembered. */
  readonly filtered: Test;
  /** Whether an item passes the feed's filters and rules. */
  readonly admits: Test;
  /** Whether an item that passed the filters also passes the rules. */
  readonly shows: Test;
  private readonly both: Test;
  private readonly pool: ItemBits | undefined;

  /** @param known bits by item; must be empty */
  constructor(
    private readonly known: Accumulator,
    { filtered, visible, pool }: PageTests,
  ) {
    this.filtered = filtered;
    this.both = (item) => filtered(item) && visible(item);
    this.pool = pool;
    this.admits = (item) => {
      if (this.isAdmitted(item)) return true;
      if (!this.both(item)) return false;
      known.add(item, ADMITTED);
      return true;
    };
    this.shows = (item) => this.isAdmitted(item) || visible(item);
  }

  /** Visits all candidates so far. */
  forEachOffered(visit: (item: Ordinal) => void): void {
    this.known.forEach((item, known) => {
      if ((known & OFFERED) !== 0) visit(item);
    });
  }

  /** Makes an item that passes the filters a candidate. Returns false if it is one already or does not pass. */
  offer(item: Ordinal): boolean {
    return this.take(item, this.filtered, OFFERED);
  }

  /** Makes an item that passes the filters and rules a candidate. Returns false as `offer`. */
  offerAdmitted(item: Ordinal): boolean {
    return this.take(item, this.both, ADMITTED | OFFERED);
  }

  private isAdmitted(item: Ordinal): boolean {
    return (this.known.weight(item) & ADMITTED) !== 0;
  }

  private take(item: Ordinal, passes: Test, marks: number): boolean {
    if (this.pool?.has(item) === false) return false;
    const known = this.known.weight(item);
    if ((known & OFFERED) !== 0 || ((known & ADMITTED) === 0 && !passes(item))) return false;
    this.known.add(item, marks & ~known);
    return true;
  }
}
