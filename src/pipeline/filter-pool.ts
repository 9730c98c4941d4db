import type { BoundFilter, CompiledFeed } from './compiled-feed.ts';
import { type EntriesScratch, ItemBits } from './item-bits.ts';

/**
 * The items that a feed's lasting filters keep: those of its filters that say what they depend on, which is the
 * same for every viewer at any time. Of items without content it says nothing.
 */
export class FilterPool extends ItemBits {
  /** What the pool answers for. */
  readonly filters: readonly BoundFilter[];
  /** Some filter looks at counters, too. */
  readonly counts: boolean;
  private shortest = { length: 0, version: -1 };

  constructor(feed: CompiledFeed, scratch: EntriesScratch) {
    super(scratch);
    this.filters = feed.filters.filter(({ depends_on }) => depends_on !== undefined);
    this.counts = this.filters.some(({ depends_on }) => depends_on === 'item');
  }

  /**
   * Length of the shortest postings that the filters name.
   * @param version of all contents (`State.rewritten`), without which it does not change
   * @param find looks for it
   */
  shortestPostings(version: number, find: () => number): number {
    if (this.shortest.version !== version) this.shortest = { length: find(), version };
    return this.shortest.length;
  }
}
