import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { identifier } from '../model/values/checks.ts';
import { isPlainObject, Refusal } from '../model/values/refusal.ts';
import type { MixInput, PromotionStrategy, Slot } from '../plugin/index.ts';
import type { Registered, Registry } from '../registry/registry.ts';
import { compileFilters } from './compile-feed.ts';
import { compileOptions } from './compile-options.ts';
import type { BoundFilter, Promotion } from './compiled-feed.ts';
import { guardMix } from './guard.ts';
import type { PromotionParameters } from './parameters.ts';

/** A checked promotion with its resolved strategy. Spec 2.4 and 8. */
export interface CompiledPromotion extends Promotion {
  name: string;
  /** The promoted feed. Undefined for an ad-hoc feed of `filters` and for hand-picked `items`. */
  feed_id: string | undefined;
  /** Additional filters of the promoted feed. Undefined if none are given. */
  filters: BoundFilter[] | undefined;
  items: { item_id: string; rank?: number }[] | undefined;
  /** The share of the page, from 0 to 1. Undefined if it is not known in advance. */
  share: number | undefined;
  /** As in `PromotionStrategy`. */
  within_page: boolean;
}

/**
 * Checks a promotion. Adds faults to `faults`.
 * @returns undefined if there are faults
 */
export function compilePromotion(
  registry: Registry,
  promotion: PromotionParameters,
  path: string,
  faults: Fault[],
): CompiledPromotion | undefined {
  const before = faults.length;
  const { promotion_type: id, promotion_name: name, percent, feed_id, promoted_items } = promotion;
  const registered = registry.get('promotion_strategies', id);
  if (registered === undefined) {
    const known = registry.ids('promotion_strategies').join(', ');
    faults.push({
      path: `${path}/promotion_type`,
      message: `'${id}' is not a known strategy; known are ${known}`,
    });
    return undefined;
  }
  if (id === 'feed' && percent === undefined) {
    faults.push({ path: `${path}/percent`, message: 'is required for a promotion of type feed' });
  }
  checkSource(promotion, path, faults);
  const has_share = takesPercent(registered);
  const compiled = compileOptions<(input: MixInput) => Slot[], PromotionStrategy>(
    registered,
    optionsOf(promotion, has_share, registered),
    `${path}/options`,
    faults,
  );
  // `percent` is a field of the promotion, beside `options`.
  for (const fault of faults.slice(before)) {
    if (percent !== undefined && fault.path === `${path}/options/percent`) fault.path = `${path}/percent`;
  }
  const items = promotedIds(promoted_items, path, faults);
  const filters = promotion.filters && compileFilters(registry, promotion.filters, `${path}/filters`, faults);
  if (compiled === undefined || faults.length > before) return undefined;
  return {
    id,
    name,
    feed_id,
    filters,
    items: isHandPicked(promotion) ? items : undefined,
    share: has_share && percent !== undefined ? percent / 100 : undefined,
    within_page: registered.extension.within_page === true,
    mix: guardMix(registry.attribution('promotion_strategies', id), compiled.run),
  };
}

/** Promoted items with their ids as text. */
function promotedIds(
  promoted_items: PromotionParameters['promoted_items'] = [],
  path: string,
  faults: Fault[],
): { item_id: string; rank?: number }[] {
  return promoted_items.flatMap(({ item_id, rank }, index) => {
    const id = identifier(item_id);
    if (!(id instanceof Refusal)) return [{ item_id: id, rank }];
    const place = `${path}/promoted_items/${index}/item_id`;
    faults.push(...id.faults.map(({ message }) => ({ path: place, message })));
    return [];
  });
}

/** Whether the strategy has an option `percent`, which gets the promotion's `percent`. */
function takesPercent({ options }: Registered<PromotionStrategy>): boolean {
  return options.has('percent');
}

/** The options of the strategy. Undefined if none are given. The type `feed` has only `percent`. */
function optionsOf(
  { promotion_type, percent, options }: PromotionParameters,
  has_share: boolean,
  registered: Registered<PromotionStrategy>,
): unknown {
  const own = promotion_type === 'feed' ? { percent: 0 } : (options ?? registered.options.defaults());
  return has_share && percent !== undefined && isPlainObject(own) ? { ...own, percent } : own;
}

/** Whether it promotes `promoted_items`. Clients may send an empty list together with a feed. */
function isHandPicked({ promotion_type, promoted_items, feed_id, filters }: PromotionParameters): boolean {
  if (promotion_type === 'feed' || promotion_type === 'items') return promotion_type === 'items';
  const from_feed = feed_id !== undefined || filters !== undefined;
  return promoted_items !== undefined && !(from_feed && promoted_items.length === 0);
}

/** Checks the source of promoted items: hand-picked items, a feed, or filters. */
function checkSource(
  { promotion_type, feed_id, filters, promoted_items }: PromotionParameters,
  path: string,
  faults: Fault[],
): void {
  if (promotion_type === 'items' && promoted_items === undefined) {
    faults.push({ path: `${path}/promoted_items`, message: 'is required for a promotion of type items' });
  }
  if (promotion_type === 'feed' && feed_id === undefined && filters === undefined) {
    faults.push({
      path: `${path}/feed_id`,
      message: 'is required for a promotion of type feed, or filters instead',
    });
  }
  const ranks = new Set<number>();
  for (const [index, { rank }] of (promoted_items ?? []).entries()) {
    if (rank !== undefined && ranks.has(rank)) {
      faults.push({
        path: `${path}/promoted_items/${index}/rank`,
        message: `${rank} is taken by another item`,
      });
    }
    if (rank !== undefined) ranks.add(rank);
  }
}

/** The feed that a promotion names, if its type takes items from a feed. */
export function promotedFeed(promotion: PromotionParameters): string | undefined {
  return isHandPicked(promotion) ? undefined : promotion.feed_id;
}

/** Warnings about a valid promotion. */
export function promotionWarnings(registry: Registry, promotion: PromotionParameters): string[] {
  const { promotion_type, percent, feed_id, filters, promoted_items = [], options = {} } = promotion;
  const registered = registry.get('promotion_strategies', promotion_type);
  const has_share = registered !== undefined && takesPercent(registered);
  const picked = isHandPicked(promotion);
  const unused = { percent: has_share ? undefined : percent, ...(picked ? { feed_id, filters } : {}) };
  const why = picked ? 'it shows promoted_items' : 'its options have no percent';
  const warnings = Object.entries(unused)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `a promotion of type ${promotion_type} does not use ${name}: ${why}`);
  const advised = LIMITS.promotion_percent_advised_max;
  if (has_share && percent !== undefined && percent > advised)
    warnings.push(`a promotion of ${percent} percent is more than the advised ${advised}`);
  if (promotion_type === 'feed' && promoted_items.length > 0)
    warnings.push('a promotion of type feed does not use promoted_items');
  if (promotion_type === 'feed' && !Bun.deepEquals(options, {}))
    warnings.push('a promotion of type feed does not use options');
  return warnings;
}
