import type { BoundSource, CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Allowed } from './allowed.ts';
import { fillUp } from './fill-up.ts';
import type { PageItem } from './page-item.ts';
import type { Request } from './request.ts';
import { Tail } from './tail.ts';
import type { Trace } from './trace.ts';

/** The candidates of one page, in batches. Each item comes once. */
export interface Candidates {
  /** The first batch. It may be empty even if more items follow. */
  first(): Ordinal[];
  /** The next `count` items that pass the rules. Fewer if there are no more. */
  more(count: number): Ordinal[];
}

/**
 * Step 1: selects the items to score. Spec 1.1.
 *
 * The first batch is either everything that a narrow filter allows, or the proposals of the sources. The remaining
 * eligible items follow in the order of a global ranking, so every eligible item is reachable.
 * @param list the items before this page
 */
export function candidates(
  feed: CompiledFeed,
  request: Request,
  allowed: Allowed,
  list: readonly PageItem[],
  trace: Trace,
): Candidates {
  const { admission, listing } = allowed;
  const tail = new Tail(request, feed.tail, feed.half_life_hours, listing);
  let is_complete = false;
  const ask = (source: BoundSource, batch: Ordinal[]): void => {
    const items = source.bind(request);
    const before = batch.length;
    for (const item of items) if (admission.offer(item)) batch.push(item);
    trace.proposed(source.id, batch.length - before);
    trace.offered?.(source.id, items, batch.length - before);
  };
  return {
    first() {
      const batch: Ordinal[] = [];
      const all = allItems(feed, request, allowed);
      if (all !== undefined) {
        is_complete = true;
        for (const item of all.items) if (admission.offer(item)) batch.push(item);
        trace.offered?.(all.origin, batch, batch.length);
        return batch;
      }
      for (const source of feed.sources) if (source.of_viewer) ask(source, batch);
      is_complete = fillUp(batch, feed, request, allowed, list, trace);
      for (const source of feed.sources) if (!source.of_viewer) ask(source, batch);
      return batch;
    },
    /**
     * Rules are tested before scoring: returning viewers have seen most of the top items, and scoring these first
     * would cost several times as much.
     */
    more(count) {
      trace.enter('candidates');
      const batch: Ordinal[] = [];
      const proposed = trace.offered && new Set<Ordinal>();
      const takes = (item: Ordinal): boolean => {
        if (proposed !== undefined && admission.filtered(item)) proposed.add(item);
        if (!admission.offerAdmitted(item)) return false;
        batch.push(item);
        return true;
      };
      if (!is_complete) tail.read(count, takes);
      if (proposed !== undefined) trace.offered?.('tail', [...proposed], proposed.size);
      return batch;
    },
  };
}

/** All visible items, if filters or else a rule can list few enough to score them all. */
function allItems(
  { rules }: CompiledFeed,
  { for_admission }: Request,
  { listing }: Allowed,
): { origin: string; items: Iterable<Ordinal> } | undefined {
  if (listing?.is_narrow) return { origin: 'postings', items: listing.items() };
  for (const rule of rules) {
    const items = rule.allows?.(for_admission);
    if (items !== undefined) return { origin: rule.id, items };
  }
  return undefined;
}
