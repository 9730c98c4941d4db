import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { BoundFilter } from '../pipeline/compiled-feed.ts';
import type { Promotion } from '../pipeline/mixing.ts';
import type { MixInput, PromotionStrategy, Slot } from '../plugin/index.ts';
import { blaming } from '../registry/plugin-failed.ts';
import type { Registry } from '../registry/registry.ts';
import { compileFilters } from './compile-feed.ts';
import { compileOptions } from './compile-options.ts';
import type { PromotionParameters } from './parameters.ts';

/** A promotion with its strategy found and everything in it checked, spec 2.4 and 8. */
export interface CompiledPromotion extends Promotion {
  name: string;
  /** The promoted feed; undefined: an ad-hoc feed of `filters`, or hand-picked `items`. */
  feed_id: string | undefined;
  /** Refine the promoted feed; undefined: none given. */
  filters: BoundFilter[] | undefined;
  items: { item_id: string; rank?: number }[] | undefined;
  /** The share of the page that it takes, from 0 to 1; undefined: nobody knows beforehand. */
  share: number | undefined;
}

/**
 * Checks a promotion; what is wrong goes into `faults`.
 * @returns undefined when anything is
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
  const { options = {} } = promotion;
  const given = id === 'feed' ? { percent: percent ?? 0 } : options;
  const compiled = compileOptions<(input: MixInput) => Slot[], PromotionStrategy>(
    registered,
    given,
    `${path}/options`,
    faults,
  );
  const filters = promotion.filters && compileFilters(registry, promotion.filters, `${path}/filters`, faults);
  if (compiled === undefined || faults.length > before) return undefined;
  return {
    id,
    name,
    feed_id,
    filters,
    // A client may send an empty list along with a feed.
    items: id === 'feed' ? undefined : promoted_items,
    share: id === 'feed' && percent !== undefined ? percent / 100 : undefined,
    mix: (input) => blaming(id, () => compiled.run(input)),
  };
}

/** Where the promoted items come from: hand-picked ones, a feed, or filters. */
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

/** The feed that a promotion takes items from, when it names one and is of a type that asks for it. */
export function promotedFeed({ promotion_type, feed_id }: PromotionParameters): string | undefined {
  return promotion_type === 'items' ? undefined : feed_id;
}

/** What should be said about a promotion that is allowed. */
export function promotionWarnings({
  promotion_type,
  percent,
  feed_id,
  filters,
  promoted_items = [],
  options = {},
}: PromotionParameters): string[] {
  const advised = LIMITS.promotion_percent_advised_max;
  const warnings: string[] = [];
  if (promotion_type === 'items') {
    const unused = Object.entries({ percent, feed_id, filters }).filter(([, value]) => value !== undefined);
    warnings.push(
      ...unused.map(([name]) => `a promotion of type items does not use ${name}: it shows promoted_items`),
    );
  } else if (percent !== undefined && percent > advised)
    warnings.push(`a promotion of ${percent} percent is more than the advised ${advised}`);
  if (promotion_type === 'feed' && promoted_items.length > 0)
    warnings.push('a promotion of type feed does not use promoted_items');
  if (promotion_type === 'feed' && !Bun.deepEquals(options, {}))
    warnings.push('a promotion of type feed does not use options');
  return warnings;
}
