import type { CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import { allowedItems } from './allowed.ts';
import { candidates } from './candidates.ts';
import { diversify, fullGroups } from './diversity.ts';
import { explore } from './exploration.ts';
import type { PageContext } from './page-context.ts';
import { type PageItem, sortPageItems } from './page-item.ts';
import { rank, ranking } from './ranking.ts';
import { SEMANTIC_CHOICE, spreader } from './semantic-diversity.ts';
import { takeVisible } from './visibility.ts';

/** The number of further candidates per missing item. */
const MORE_PER_MISSING = 2;
/** The same if candidates come in the page's order. Scores may have changed since they were ranked. */
const MORE_PER_MISSING_IN_ORDER = 1.25;

export interface ListOptions {
  /** The items before the page. They are not repeated, and count for diversity. Default: empty. */
  list?: readonly PageItem[];
  /** The request whose signals make the scores, so that scores of a whole list are comparable. Default: this one. */
  scored_for?: PageContext;
  /** The number of slots that are certainly shown, and that exploration may use. 0: no exploration. Default: all. */
  explorable?: number;
}

/**
 * Builds the first `request.page_length` items of a feed: candidates → ranking → visibility → mixing. Spec 1.
 *
 * Synchronous, so it sees one state. Ordered by adjusted score (ties: newer, then `item_id`), except where diversity
 * moves items apart. For-you pages contain some new items of small authors. A page is shorter only if no eligible
 * item is left or diversity allows no more. `composePage` adds fallbacks and promotions.
 */
export function buildList(
  feed: CompiledFeed,
  context: PageContext,
  { list = [], scored_for = context, explorable = context.page_length }: ListOptions = {},
): PageItem[] {
  const { page_length: length, grouping, engine, trace } = context;
  const embedding_length = engine.state.embeddings.length;
  trace.enter('candidates');
  const semantic = embedding_length > 0 ? feed.diversity?.semantic : undefined;
  const { shown } = context.page;
  const allowed = allowedItems(feed, context, new Set([...shown, ...list.map(({ item }) => item)]));
  const { admission } = allowed;
  const found = candidates(feed, context, allowed, list);
  const ranked = ranking(feed, scored_for, trace);
  // Without sources, candidates come in the order of the feed's own ranking.
  const more_per_missing = feed.sources.length === 0 ? MORE_PER_MISSING_IN_ORDER : MORE_PER_MISSING;
  const visible: PageItem[] = [];
  let passes: Test = admission.shows;
  let is_full: Test = () => false;

  rank(ranked, found.first());
  const choice = semantic === undefined ? 0 : SEMANTIC_CHOICE;
  const spread = semantic && spreader(semantic, length, embedding_length, context.similarity, list);
  for (let wanted = length + choice; ; wanted *= 2) {
    takeVisible(visible, ranked, passes, wanted);
    while (visible.length < wanted) {
      const batch = found.more(Math.ceil((wanted - visible.length) * more_per_missing), is_full);
      if (batch.length === 0) break;
      rank(ranked, batch);
      takeVisible(visible, ranked, passes, wanted);
    }
    const is_all = visible.length < wanted;

    if (wanted === length + choice && feed.feed_type === 'for-you' && !feed.scoring.in_order) {
      const explored = explore(context, visible, explorable, admission.admits, ranked.decay);
      const items = new Set(explored.map(({ item }) => item));
      trace.record?.offered('exploration', [...items], items.size);
      // They may be candidates already. If not, they must not become candidates later.
      for (const item of items) admission.offer(item);
      if (items.size > 0) passes = (item) => !items.has(item) && admission.shows(item);
      visible.push(...explored);
      sortPageItems(visible, engine.state);
    }

    trace.enter('mixing');
    const page = diversify(spread?.(visible) ?? visible, length, feed.diversity, grouping, list);
    trace.record?.diversified(visible.length, page.length);
    // Diversity may drop items, so a page can need more of them than it has slots.
    if (page.length === length) return page;
    // Items that the page has no room for are not even scored. There may be millions of them.
    is_full = fullGroups(feed.diversity, grouping, list, page);
    if (is_all) {
      const batch = found.reconsidered(is_full);
      if (batch.length === 0) return page;
      rank(ranked, batch);
    }
  }
}
