import type { Ordinal } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Test } from './compiled-feed.ts';

/** It passed the feed's filters and rules. */
const ADMITTED = 1;
/** It was offered for the page. */
const OFFERED = 2;

/** What is known of the items that were looked at for one page, so that hardly one is tested twice. */
export class Admission {
  /** Whether the feed's filters and rules let an item through. */
  readonly admits: Test;

  /**
   * @param known bits by item; empty
   * @param test what `admits` asks of an item that it does not know
   */
  constructor(
    private readonly known: Accumulator,
    private readonly test: Test,
  ) {
    this.admits = (item) => {
      if (this.has(item)) return true;
      if (!test(item)) return false;
      known.add(item, ADMITTED);
      return true;
    };
  }

  /** `admits` said so, so the item need not be tested again. */
  has(item: Ordinal): boolean {
    return (this.known.weight(item) & ADMITTED) !== 0;
  }

  /** Every candidate so far. */
  forEachOffered(visit: (item: Ordinal) => void): void {
    this.known.forEach((item, known) => {
      if ((known & OFFERED) !== 0) visit(item);
    });
  }

  /**
   * An item is offered for the page. @returns whether it is a candidate: offered for the first time, and one that
   * `admits` let through or that passes the `test`
   */
  offer(item: Ordinal, test: Test): boolean {
    return this.take(item, test, OFFERED);
  }

  /** The same of an item that nothing but `admits` may let through. */
  offerAdmitted(item: Ordinal): boolean {
    return this.take(item, this.test, ADMITTED | OFFERED);
  }

  private take(item: Ordinal, test: Test, marks: number): boolean {
    const known = this.known.weight(item);
    if ((known & OFFERED) !== 0 || ((known & ADMITTED) === 0 && !test(item))) return false;
    this.known.add(item, marks & ~known);
    return true;
  }
}
