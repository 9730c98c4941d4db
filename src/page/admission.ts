import type { Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';

/** The item passed the feed's filters and rules. */
const ADMITTED = 1;
/** The item was offered for the page. */
const OFFERED = 2;

/** The test results of one page, so that hardly any item is tested twice. */
export class Admission {
  /** Whether an item passes the feed's filters and rules. Remembers positive results. */
  readonly admits: Test;

  /**
   * @param known bits by item; must be empty
   * @param test the filters and rules, called for unknown items
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

  /** Whether `admits` accepted the item before. */
  has(item: Ordinal): boolean {
    return (this.known.weight(item) & ADMITTED) !== 0;
  }

  /** Visits all candidates so far. */
  forEachOffered(visit: (item: Ordinal) => void): void {
    this.known.forEach((item, known) => {
      if ((known & OFFERED) !== 0) visit(item);
    });
  }

  /**
   * Offers an item for the page.
   * @returns whether it is a new candidate: offered for the first time, and accepted by `admits` before or by `test`
   * now
   */
  offer(item: Ordinal, test: Test): boolean {
    return this.take(item, test, OFFERED);
  }

  /** Like `offer`, with `admits` as the test. */
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
