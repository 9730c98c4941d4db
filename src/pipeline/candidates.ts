import type { Ordinal, Postings } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Postings as PostingLists } from '../state/postings.ts';
import type { CompiledFeed, Test } from './compiled-feed.ts';
import type { Request } from './request.ts';
import type { Trace } from './trace.ts';

/** A feed whose filters keep at most this many items starts from all of them. */
const NARROW_ITEMS_MAX = 2_000;
/** Items of the tail looked at first; four times as many each time that was not enough. */
const TAIL_FIRST = 512;

/** Everything that a narrow feed may show, and more. */
interface Narrow {
  /** `postings`, or the id of the rule that lists it. */
  origin: string;
  items: Iterable<Ordinal>;
}

/**
 * Step 1, spec 1.1: which items are worth scoring. First either everything a narrow filter leaves, or what
 * the sources propose; then, as long as the page is short, the rest of the eligible items by a global
 * ranking, so nothing eligible is ever out of reach. Each item is offered once.
 */
export class Candidates {
  private readonly offered: Accumulator;
  private complete = false;
  private tail_limit = TAIL_FIRST;
  private tail: readonly Ordinal[] = [];
  private tail_at = 0;

  /**
   * @param admits eligible now and kept by every filter
   * @param decay the factor of an item's age: the tail is in the order of the adjusted score
   */
  constructor(
    private readonly feed: CompiledFeed,
    private readonly request: Request,
    private readonly admits: Test,
    private readonly decay: (item: Ordinal) => number,
    private readonly trace: Trace,
  ) {
    this.offered = request.engine.scratch.accumulators.take();
  }

  /** The first batch; it may be empty although more follow. */
  first(): Ordinal[] {
    const narrow = this.narrowest() ?? this.allowed();
    const batch: Ordinal[] = [];
    if (narrow !== undefined) {
      this.complete = true;
      for (const item of narrow.items) this.offer(item, batch);
      this.trace.offered?.(narrow.origin, batch, batch.length);
      return batch;
    }
    for (const source of this.feed.sources) {
      const known = batch.length;
      const items = source.bind(this.request);
      for (const item of items) this.offer(item, batch);
      this.trace.proposed(source.id, batch.length - known);
      this.trace.offered?.(source.id, items, batch.length - known);
    }
    return batch;
  }

  /** At least `wanted` further items, in the order of the tail; fewer only when there are no more. */
  more(wanted: number): Ordinal[] {
    const { tail, half_life_hours } = this.feed;
    const batch: Ordinal[] = [];
    while (!this.complete && batch.length < wanted) {
      const ranked = this.request.ranked(tail, this.tail_limit, half_life_hours, this.decay);
      if (ranked !== this.tail) this.tail_at = 0;
      this.tail = ranked;
      while (this.tail_at < ranked.length && batch.length < wanted) this.offer(ranked[this.tail_at++], batch);
      if (this.tail_at < ranked.length) break;
      if (ranked.length < this.tail_limit) this.complete = true;
      this.tail_limit = Math.max(ranked.length + 1, this.tail_limit * 4);
    }
    this.trace.offered?.('tail', batch, batch.length);
    return batch;
  }

  /** An item that stands on the page already: it is offered no more. */
  take(item: Ordinal): void {
    this.offered.add(item, 1);
  }

  private offer(item: Ordinal, batch: Ordinal[]): void {
    if (this.offered.weight(item) > 0) return;
    this.offered.add(item, 1);
    if (this.request.hasAdmitted(item) || this.admits(item)) batch.push(item);
  }

  /** What the first rule that can list it allows. */
  private allowed(): Narrow | undefined {
    for (const rule of this.feed.rules) {
      const items = rule.allows?.(this.request);
      if (items !== undefined) return { origin: rule.id, items };
    }
    return undefined;
  }

  /** Every item of the shortest list of postings that the filters name, when it is short enough. */
  private narrowest(): Narrow | undefined {
    let shortest: Range[] | undefined;
    let limit = NARROW_ITEMS_MAX;
    for (const filter of this.feed.filters) {
      const named = filter.postings?.(this.request);
      if (named === undefined) continue;
      const ranges = this.ranges(named);
      const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
      if (length > limit) continue;
      limit = length;
      shortest = ranges;
    }
    const items = shortest?.flatMap(({ list, start, end }) =>
      Array.from({ length: end - start }, (_, index) => list.item(start + index)),
    );
    return items && { origin: 'postings', items };
  }

  private ranges(named: Postings): Range[] {
    if ('created_since' in named) {
      const list = this.request.engine.state.by_time;
      return [{ list, start: list.since(0, named.created_since), end: list.end(0) }];
    }
    const list = this.request.postings(named.column);
    return [...new Set(named.values)].map((value) => ({
      list,
      start: list.start(value),
      end: list.end(value),
    }));
  }
}

/** Some of the items of one list. */
interface Range {
  list: PostingLists;
  start: number;
  end: number;
}
