import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { FeedPlan, PromotionPlan, SubFeed } from '../feeds/plan.ts';
import { LIMITS } from '../limits.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { blaming } from '../registry/plugin-failed.ts';
import { createDecay } from './decay.ts';
import { mixedPage } from './mixed-pages.ts';
import type { PromotedItem, SourcedItem } from './mixing.ts';
import type { PageItem } from './page-item.ts';
import type { Request } from './request.ts';
import { allOf } from './visibility.ts';

/** Hand-picked items need not pass this rule. */
export const NOT_FOR_HAND_PICKED = 'social_proof';

/** The functions and values of a request that composing a page needs. */
export interface Composer {
  /**
   * The first `length` items of a feed for this viewer. For plain pages, lists of any length begin in the same way.
   * @param explorable the number of first slots that are certainly shown, where exploration may place items
   */
  build(feed: CompiledFeed, length: number, explorable: number): PageItem[];
  /** A context of the request that belongs to no feed. */
  request: Request;
  random(): number;
  overfetch_factor: number;
  warnings: string[];
  /** Receives the items of the pages before a plain page. */
  noteShownBefore?(items: ReadonlySet<Ordinal>): void;
}

/**
 * Composes the page of a feed: its own list, items of fallback feeds if that is too short, and promotions. Spec 1.4
 * and 8.
 *
 * Each feed runs at most once, and no item occurs twice.
 * @param offset for a plain page: the number of items before it
 */
export function composePage(
  plan: FeedPlan,
  length: number,
  offset: number | undefined,
  composer: Composer,
): SourcedItem[] {
  const { promotion } = plan;
  const before = offset ?? 0;
  // Plain pages are not over-fetched. Each takes a fixed share of both lists, so the pages partition the lists.
  const overfetch_factor = offset === undefined ? composer.overfetch_factor : 1;
  const wanted = before + (promotion === undefined ? length : Math.ceil(length * overfetch_factor));
  const explorable = promotion === undefined ? length : leftBy(promotion, length);
  const main: SourcedItem[] = composer.build(plan.compiled, wanted, explorable);
  for (const item of main) item.source_feed = plan.source_feed;
  const used = new Set([plan.feed_id]);
  if (main.length < before + length) addFallbacks(main, plan.fallbacks, wanted, explorable, used, composer);
  if (promotion === undefined) {
    if (before === 0) return main;
    composer.noteShownBefore?.(new Set(main.slice(0, before).map(({ item }) => item)));
    return main.slice(before);
  }
  // On plain pages, a fallback feed is promoted up to the page on which the main list needs it.
  const until_needed = offset !== undefined && isFallback(promotion, plan, used);
  const on_page = until_needed ? new Set([plan.feed_id]) : used;
  const promoted = promotedItems(promotion, plan.compiled, wanted, on_page, composer);
  const only_beside = until_needed ? sourcesBefore(promotion, plan) : undefined;
  const { random, request } = composer;
  const { budget } = request.page;
  const mixing = { promotion, length, overfetch_factor, random, only_beside, budget };
  const mixed = blaming(promotion.id, () => mixedPage(main, promoted, before, mixing));
  if (mixed.is_skipped) composer.warnings.push(onPageAlready(promotion));
  composer.noteShownBefore?.(mixed.shown_before);
  return mixed.page;
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

/** Adds new items of fallback feeds, one feed after another, until there are `length` items. */
function addFallbacks(
  main: SourcedItem[],
  fallbacks: readonly SubFeed[],
  length: number,
  explorable: number,
  used: Set<string | undefined>,
  composer: Composer,
): void {
  const shown = new Set(main.map(({ item }) => item));
  for (const { feed_id, source_feed, compiled } of fallbacks) {
    if (main.length >= length) return;
    if (feed_id !== undefined && used.has(feed_id)) continue;
    used.add(feed_id);
    const left = Math.max(0, explorable - main.length);
    // In the worst case the feed starts with all items that are already present.
    for (const item of composer.build(compiled(), length, left)) {
      if (main.length >= length) break;
      if (shown.has(item.item)) continue;
      shown.add(item.item);
      main.push({ ...item, source_feed });
    }
  }
}

function onPageAlready({ feed }: PromotionPlan): string {
  return `promotion_filters: the feed '${feed?.feed_id}' is on the page already; it was skipped`;
}

function promotedItems(
  promotion: PromotionPlan,
  main: CompiledFeed,
  length: number,
  used: ReadonlySet<string | undefined>,
  composer: Composer,
): PromotedItem[] {
  const { name, items, feed } = promotion;
  if (items !== undefined) return handPicked(promotion, items, main, composer);
  if (feed === undefined) return [];
  if (feed.feed_id !== undefined && used.has(feed.feed_id)) {
    composer.warnings.push(onPageAlready(promotion));
    return [];
  }
  // Promoted feeds are not explored: they show what the operator promotes.
  return composer
    .build(feed.compiled(), length, 0)
    .map((item) => ({ ...item, source_feed: feed.source_feed, promotion_name: name }));
}

/**
 * Hand-picked items in their order, without items that may not be shown or that a rule drops.
 *
 * Unknown items cause a warning. The feed's filters do not apply.
 */
function handPicked(
  { name }: PromotionPlan,
  items: readonly { item_id: string; rank?: number }[],
  main: CompiledFeed,
  { request, warnings }: Composer,
): PromotedItem[] {
  const rules = main.rules.filter(({ id }) => id !== NOT_FOR_HAND_PICKED);
  const visible = allOf(rules.map((rule) => rule.bind(request.for_admission)));
  const score = main.scoring.bind(request);
  const decay = createDecay(request, main.half_life_hours);
  const picked = new Map<Ordinal, PromotedItem>();
  const unknown: string[] = [];
  for (const { item_id, rank } of items) {
    const item = request.item(item_id);
    if (item === NONE || !request.engine.state.items.described(item)) unknown.push(item_id);
    else if (!picked.has(item) && !request.page.shown.has(item) && request.eligible(item) && visible(item)) {
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
