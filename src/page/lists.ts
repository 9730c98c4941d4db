import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { FeedPlan, PromotionPlan } from '../feeds/plan.ts';
import { LIMITS } from '../limits.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { allOf } from './all-of.ts';
import { createDecay } from './decay.ts';
import { contextForFeed, type PageContext } from './page-context.ts';
import type { PageItem, PromotedItem, SourcedItem } from './page-item.ts';
import { buildList, type ListOptions } from './pipeline.ts';
import type { ListRecord, PageRecord } from './record.ts';
import { draftedList } from './team-draft.ts';

/** Hand-picked items need not pass this rule. */
export const NOT_FOR_HAND_PICKED = 'social_proof';

export interface PageBuilding {
  context: PageContext;
  length: number;
  /** For a plain page: the number of items before it. */
  offset: number | undefined;
  /** How many times as many items are fetched for a page with a promotion. */
  overfetch_factor: number;
  /** Warnings about the promotion are added to it. */
  warnings: string[];
  record: PageRecord | undefined;
}

export interface PageLists {
  /** The feed's own list, then items of fallback feeds if it is too short. */
  main: SourcedItem[];
  promoted: PromotedItem[];
  /** Pages with items of other sources promote nothing. Undefined: all pages promote. */
  only_beside: ReadonlySet<string> | undefined;
}

/** A feed that gives a list, and the name of its items' source. */
interface Source {
  source_feed: string;
  compiled: CompiledFeed;
}

/**
 * Builds the lists of a page: its feed's own, those of fallback feeds if that is too short, and the promotion's. Spec
 * 1.4 and 8.
 *
 * Each feed runs at most once, and no item occurs twice in a list.
 */
export function buildLists(plan: FeedPlan, page: PageBuilding): PageLists {
  const { promotion } = plan;
  const { length, offset, warnings } = page;
  const wanted = (offset ?? 0) + (promotion === undefined ? length : overfetched(page));
  const explorable = promotion === undefined ? length : leftBy(promotion, length);
  const main = mainList(plan, wanted, explorable, page);
  const used = new Set([plan.feed_id]);
  if (main.length < (offset ?? 0) + length) addFallbacks(main, plan, wanted, explorable, used, page);
  if (promotion === undefined) return { main, promoted: [], only_beside: undefined };
  const { items, feed, name } = promotion;
  if (items !== undefined)
    return { main, promoted: handPicked(name, items, plan.compiled, page), only_beside: undefined };
  // On plain pages, a fallback feed is promoted up to the page on which the main list needs it.
  const until_needed = offset !== undefined && isFallback(promotion, plan, used);
  const only_beside = until_needed ? sourcesBefore(promotion, plan) : undefined;
  const is_used = until_needed ? feed?.feed_id === plan.feed_id : used.has(feed?.feed_id);
  if (feed === undefined) return { main, promoted: [], only_beside };
  if (feed.feed_id !== undefined && is_used) {
    warnings.push(onPageAlready(promotion));
    return { main, promoted: [], only_beside };
  }
  const { source_feed } = feed;
  // Promoted feeds are not explored: they show what the operator promotes.
  const list = listOf({ source_feed, compiled: feed.compiled() }, wanted, 0, page);
  const promoted = list.map((item) => ({ ...item, source_feed, promotion_name: name }));
  return { main, promoted, only_beside };
}

/** The feed's own list. With a rival, the lists of both, drafted by teams. */
function mainList(plan: FeedPlan, wanted: number, explorable: number, page: PageBuilding): SourcedItem[] {
  const { rival, compiled } = plan;
  if (rival === undefined) {
    const main: SourcedItem[] = listOf(plan, wanted, explorable, page);
    for (const item of main) item.source_feed = plan.source_feed;
    return main;
  }
  const built = [plan, rival].map((source) => undiversified(source, Math.ceil(explorable / 2), page));
  const listsOf = (length: number) => [built[0](length), built[1](length)] as const;
  return draftedList(rival.teams, listsOf, { wanted, diversity: compiled.diversity, context: page.context });
}

/** Builds lists of any length without diversity, which comes after the draft. Of each, about half is shown. */
function undiversified({ compiled, source_feed }: Source, explorable: number, page: PageBuilding) {
  const repeat_author_decay = compiled.diversity?.repeat_author_decay;
  const diversity = repeat_author_decay === undefined ? undefined : { repeat_author_decay };
  const feed = { ...compiled, diversity };
  const record = page.record?.ofList(feed, source_feed);
  return (length: number): SourcedItem[] => {
    const list = partOf(feed, contextForFeed(page.context, length, record), { explorable }, record);
    return list.map((item) => ({ ...item, source_feed }));
  };
}

/** Number of items of each list that a page is mixed from. Plain pages take fixed shares, so that they partition it. */
export function overfetched({ length, offset, overfetch_factor }: PageBuilding): number {
  return offset === undefined ? Math.ceil(length * overfetch_factor) : length;
}

/** The first `wanted` items of a feed. @param explorable see `ListOptions` */
function listOf(
  { compiled, source_feed }: Source,
  wanted: number,
  explorable: number,
  page: PageBuilding,
): PageItem[] {
  const { length, offset, context } = page;
  const record = page.record?.ofList(compiled, source_feed);
  if (offset !== undefined) return plainList(compiled, wanted, length, context, record);
  return partOf(compiled, contextForFeed(context, wanted, record), { explorable }, record);
}

/**
 * Builds the first `wanted` items of the list that plain pages of `size` items are cut from. Fewer if there are no
 * more.
 *
 * Lists of any length begin in the same way. To achieve that, the list is made of parts. The first part is one page
 * long, and each further part is as long as all parts before it. A part is the page of that length for a viewer who
 * has seen the parts before, with as many proposals as such a page. A longer list in one piece would have other
 * candidates, for example because more of a slightly outdated ranking is read. Nothing is explored, since each page
 * would draw again. Costs at most twice as much as one list of `wanted` items.
 */
function plainList(
  feed: CompiledFeed,
  wanted: number,
  size: number,
  context: PageContext,
  record: ListRecord | undefined,
): PageItem[] {
  const list: PageItem[] = [];
  let scored_for: PageContext | undefined;
  while (list.length < wanted) {
    const part_request = contextForFeed(context, Math.max(size, list.length), record);
    scored_for ??= part_request;
    const part = partOf(feed, part_request, { list, scored_for, explorable: 0 }, record);
    for (const item of part) list.push(item);
    if (part.length < part_request.page_length) break;
  }
  return list.slice(0, wanted);
}

function partOf(
  feed: CompiledFeed,
  context: PageContext,
  options: ListOptions,
  record: ListRecord | undefined,
): PageItem[] {
  record?.begin(options.scored_for ?? context);
  const part = buildList(feed, context, options);
  record?.end(options.list ?? [], part);
  return part;
}

/** The number of slots that a promotion certainly leaves to the main list. */
function leftBy({ items, share = 0 }: PromotionPlan, length: number): number {
  return Math.max(0, Math.floor(length * (1 - share)) - (items?.length ?? 0));
}

/** Whether the promoted feed has run as a fallback feed. */
function isFallback({ feed }: PromotionPlan, plan: FeedPlan, used: ReadonlySet<string | undefined>): boolean {
  return feed?.feed_id !== undefined && feed.feed_id !== plan.feed_id && used.has(feed.feed_id);
}

/** The sources of items before a promoted fallback feed is needed: the main list and earlier fallback feeds. */
function sourcesBefore({ feed }: PromotionPlan, { source_feed, fallbacks }: FeedPlan): ReadonlySet<string> {
  const needed_at = fallbacks.findIndex(({ feed_id }) => feed_id === feed?.feed_id);
  return new Set([source_feed, ...fallbacks.slice(0, needed_at).map((fallback) => fallback.source_feed)]);
}

/** Adds new items of fallback feeds, one feed after another, until there are `wanted` items. */
function addFallbacks(
  main: SourcedItem[],
  { fallbacks }: FeedPlan,
  wanted: number,
  explorable: number,
  used: Set<string | undefined>,
  page: PageBuilding,
): void {
  const shown = new Set(main.map(({ item }) => item));
  for (const { feed_id, source_feed, compiled } of fallbacks) {
    if (main.length >= wanted) return;
    if (feed_id !== undefined && used.has(feed_id)) continue;
    used.add(feed_id);
    const left = Math.max(0, explorable - main.length);
    // In the worst case the feed starts with all items that are already present.
    for (const item of listOf({ source_feed, compiled: compiled() }, wanted, left, page)) {
      if (main.length >= wanted) break;
      if (shown.has(item.item)) continue;
      shown.add(item.item);
      main.push({ ...item, source_feed });
    }
  }
}

export function onPageAlready({ feed }: PromotionPlan): string {
  return `promotion_filters: the feed '${feed?.feed_id}' is on the page already; it was skipped`;
}

/**
 * Hand-picked items in their order, without items that may not be shown or that a rule drops.
 *
 * Unknown items cause a warning. The feed's filters do not apply.
 */
function handPicked(
  name: string,
  items: readonly { item_id: string; rank?: number }[],
  main: CompiledFeed,
  { context, warnings }: PageBuilding,
): PromotedItem[] {
  const rules = main.rules.filter(({ id }) => id !== NOT_FOR_HAND_PICKED);
  const visible = allOf(rules.map((rule) => rule.bind(context.for_admission)));
  const score = main.scoring.bind(context);
  const decay = createDecay(context, main.half_life_hours);
  const picked = new Map<Ordinal, PromotedItem>();
  const unknown: string[] = [];
  for (const { item_id, rank } of items) {
    const item = context.item.find(item_id);
    if (item === NONE || !context.engine.state.items.described(item)) unknown.push(item_id);
    else if (!picked.has(item) && !context.page.shown.has(item) && context.eligible(item) && visible(item)) {
      const value = score(item);
      const scores = { score: value, adjusted_score: value * decay(item) };
      picked.set(item, { item, rank, ...scores, source_feed: `promotion:${name}`, promotion_name: name });
    }
  }
  warnings.push(...unknownWarnings(unknown));
  return [...picked.values()];
}

function unknownWarnings(item_ids: readonly string[]): string[] {
  const listed = item_ids.slice(0, LIMITS.warnings_listed_max);
  const warnings = listed.map((item_id) => `promoted_items: there is no item '${item_id}'`);
  const more = item_ids.length - listed.length;
  if (more > 0) warnings.push(`promoted_items: ${more} more items are not there`);
  return warnings;
}
