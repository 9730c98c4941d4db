import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { FeedPlan } from '../feeds/plan.ts';
import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { allowedItems } from './allowed.ts';
import type { PageBuilding } from './lists.ts';
import { contextForFeed, type PageContext } from './page-context.ts';
import type { SourcedItem } from './page-item.ts';
import { itemScorer } from './ranking.ts';
import { seenInOrder, seenSince } from './seen-by.ts';

/** The origin of these items in explanations. */
const ORIGIN = 'seen_before';

/**
 * The items with which a short page ends if its feed shows seen items last: longest ago first.
 *
 * They pass the filters and all rules of the feed but the rule `seen`. Mixing and diversity do not count them. A page
 * that stays empty because items were seen gets a warning.
 * @param page the page so far
 */
export function seenAgain(
  plan: FeedPlan,
  page: readonly SourcedItem[],
  building: PageBuilding,
): SourcedItem[] {
  const { context, length, offset, warnings } = building;
  const { mode } = plan.compiled.seen;
  // Plain pages show seen items anyway.
  if (page.length >= length || offset !== undefined || mode === 'show') return [];
  if (page.length > 0 && mode === 'drop') return [];
  const excluded = new Set([...context.page.shown, ...page.map(({ item }) => item)]);
  const again = mode === 'last' ? itemsAgain(plan, length - page.length, excluded, building) : [];
  if (page.length + again.length === 0) {
    const feeds = [plan.compiled, ...plan.fallbacks.map(({ compiled }) => compiled())];
    if (feeds.some((feed) => !admittedSeen(feed, contextForFeed(context, length), excluded).next().done))
      warnings.push(ALL_SEEN);
  }
  return again;
}

const ALL_SEEN =
  'the page is empty because the viewer has seen the items that are left; "seen": {"mode": "last"} shows them after all others';

function itemsAgain(
  { compiled: feed, feed_id }: FeedPlan,
  wanted: number,
  excluded: ReadonlySet<Ordinal>,
  { context, record }: PageBuilding,
): SourcedItem[] {
  const source_feed = `seen:${feed_id ?? feed.feed_type}`;
  const list = record?.ofList(feed, source_feed);
  const own = contextForFeed(context, wanted, list);
  list?.begin(context);
  own.trace.enter('candidates');
  const { rest_seconds } = feed.seen;
  const rests = rest_seconds > 0 ? seenSince(context, context.now - rest_seconds) : () => false;
  const items: Ordinal[] = [];
  for (const item of admittedSeen(feed, own, excluded)) {
    if (!rests(item) && items.push(item) === wanted) break;
  }
  list?.offered(ORIGIN, items, items.length);
  const scored = itemScorer(feed, context);
  const again = items.map((item) => ({ ...scored(item), source_feed }));
  list?.end([], again);
  return again;
}

function* chain<T>(first: T, rest: Iterable<T>): Generator<T, void> {
  yield first;
  yield* rest;
}

/** Seen items that a feed may show to the viewer apart from that, longest ago first. Examines a limited number. */
function* admittedSeen(
  feed: CompiledFeed,
  context: PageContext,
  excluded: ReadonlySet<Ordinal>,
): Generator<Ordinal, void> {
  const seen = seenInOrder(context);
  const first = seen.next();
  // Filters of plugins are not bound for nothing.
  if (first.done) return;
  const { admission, within } = allowedItems(feed, context, excluded, feed.seen.other_rules);
  let left = LIMITS.seen_examined_max;
  for (const item of chain(first.value, seen)) {
    if (within?.has(item) === false) continue;
    if (left-- === 0) return;
    if (context.viewer.has_seen(item) && admission.admits(item)) yield item;
  }
}
