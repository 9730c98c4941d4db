import type { BoundFilter, CompiledFeed } from '../feeds/compiled-feed.ts';
import { type EntriesScratch, ItemBits } from './item-bits.ts';

/**
 * The items that pass those filters of a feed that declare `depends_on`, so the result is the same for every viewer.
 *
 * Items without content are never in it.
 */
export class FilterPool extends ItemBits {
  /** The filters that the pool covers. */
  readonly filters: readonly BoundFilter[];
  /** Whether a filter depends on counters. */
  readonly counts: boolean;
  private shortest = { length: 0, version: -1 };

  constructor(feed: CompiledFeed, scratch: EntriesScratch) {
    super(scratch);
    this.filters = feed.filters.filter(({ depends_on }) => depends_on !== undefined);
    this.counts = this.filters.some(({ depends_on }) => depends_on === 'item');
  }

  /**
   * The length of the shortest postings that the filters name, cached.
   * @param version the version of all contents (`State.rewritten`)
   * @param find computes the length
   */
  shortestPostings(version: number, find: () => number): number {
    if (this.shortest.version !== version) this.shortest = { length: find(), version };
    return this.shortest.length;
  }
}
