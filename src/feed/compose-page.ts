import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import { mix, type PromotedItem, type SourcedItem } from '../pipeline/mixing.ts';
import type { PageItem } from '../pipeline/pipeline.ts';
import type { Request } from '../pipeline/request.ts';
import { allOf } from '../pipeline/visibility.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { pluginFailed } from './guard.ts';
import type { FeedPlan, PromotionPlan, SubFeed } from './plan.ts';

/** The rule that hand-picked items need not pass: they are proof enough themselves. */
const NOT_FOR_HAND_PICKED = 'social_proof';

/** What composing a page needs of its request. */
export interface Composer {
  /** The first `length` items of a feed for this viewer. */
  build(feed: CompiledFeed, length: number): PageItem[];
  /** A context of the request, for what is not a feed. */
  request: Request;
  random(): number;
  overfetch_factor: number;
  warnings: string[];
}

/**
 * The page of a feed: its own list, what fallback feeds add when it is short, and promotions mixed in,
 * spec 1.4 and 8. Every feed runs at most once; no item appears twice.
 */
export function composePage(
  plan: FeedPlan,
  length: number,
  offset: number,
  composer: Composer,
): SourcedItem[] {
  const { promotion } = plan;
  const wanted = promotion === undefined ? length : Math.ceil(length * composer.overfetch_factor);
  const main = composer
    .build(plan.compiled, offset + wanted)
    .map((item) => ({ ...item, source_feed: plan.source_feed }));
  const used = new Set([plan.feed_id]);
  addFallbacks(main, plan.fallbacks, offset + length, used, composer);
  const rest = offset === 0 ? main : main.slice(offset);
  if (promotion === undefined) return rest.slice(0, length);
  const promoted = promotedItems(promotion, plan.compiled, wanted, used, composer);
  try {
    return mix(rest, promoted, promotion, length, composer.overfetch_factor, composer.random);
  } catch (error) {
    throw pluginFailed(promotion.id, error);
  }
}

/** Adds what fallback feeds have that is not there yet, one after another, until there are `length` items. */
function addFallbacks(
  main: SourcedItem[],
  fallbacks: readonly SubFeed[],
  length: number,
  used: Set<string | undefined>,
  composer: Composer,
): void {
  const shown = new Set(main.map(({ item }) => item));
  for (const { feed_id, source_feed, compiled } of fallbacks) {
    if (main.length >= length) return;
    if (feed_id !== undefined && used.has(feed_id)) continue;
    used.add(feed_id);
    // What is shown already may come first there, too.
    for (const item of composer.build(compiled(), length + shown.size)) {
      if (main.length >= length) break;
      if (shown.has(item.item)) continue;
      shown.add(item.item);
      main.push({ ...item, source_feed });
    }
  }
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
    composer.warnings.push(
      `promotion_filters: the feed '${feed.feed_id}' is on the page already; it was skipped`,
    );
    return [];
  }
  return composer
    .build(feed.compiled(), length)
    .map((item) => ({ ...item, source_feed: feed.source_feed, promotion_name: name }));
}

/**
 * Hand-picked items in their order, without unknown ones (with a warning), those that are not to be shown
 * at all, and those that a rule keeps from this viewer. The feed's filters do not apply.
 */
function handPicked(
  { name }: PromotionPlan,
  items: readonly { item_id: string; rank?: number }[],
  main: CompiledFeed,
  { request, warnings }: Composer,
): PromotedItem[] {
  const rules = main.rules.filter(({ id }) => id !== NOT_FOR_HAND_PICKED);
  const visible = allOf(rules.map((rule) => rule.bind(request)));
  const score = main.scoring.bind(request);
  const picked = new Map<Ordinal, PromotedItem>();
  for (const { item_id, rank } of items) {
    const item = request.item(item_id);
    if (item === NONE) warnings.push(`promoted_items: there is no item '${item_id}'`);
    if (item === NONE || picked.has(item) || !request.eligible(item) || !visible(item)) continue;
    const value = score(item);
    picked.set(item, {
      item,
      rank,
      score: value,
      adjusted_score: value,
      source_feed: `promotion:${name}`,
      promotion_name: name,
    });
  }
  return [...picked.values()];
}
