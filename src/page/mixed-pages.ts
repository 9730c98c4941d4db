import type { PromotionPlan } from '../feeds/plan.ts';
import type { Ordinal } from '../plugin/index.ts';
import { isThirdParty } from '../registry/registry.ts';
import { mix, type PromotedItem, type SourcedItem } from './mixing.ts';
import { PromotedRest, Rest } from './rest-of-list.ts';
import type { WorkBudget } from './work-budget.ts';

/** Work units for mixing one page, in addition to those of its items. */
const MIXING_UNITS = 16;

/** How the pages of a feed with a promotion are mixed. */
export interface Mixing {
  promotion: PromotionPlan;
  /** The number of items of a page. */
  length: number;
  overfetch_factor: number;
  random(): number;
  /** Pages with items of feeds outside this set promote nothing. Undefined: all pages promote. */
  only_beside: ReadonlySet<string> | undefined;
  budget: WorkBudget;
}

export interface MixedPage {
  page: SourcedItem[];
  /** The page promotes nothing, since it has items of feeds outside `only_beside`. */
  is_skipped: boolean;
  /** The items of earlier pages. */
  shown_before: ReadonlySet<Ordinal>;
}

/**
 * Mixes the page after the first `before` items.
 *
 * Items of earlier pages are not repeated, so these pages are mixed first. Once nothing is left to promote, pages are
 * cut from the main list.
 * @throws Error if the strategy returns an invalid page; ServiceError `request_too_costly`
 */
export function mixedPage(
  main: readonly SourcedItem[],
  promoted: readonly PromotedItem[],
  before: number,
  { promotion, length, overfetch_factor, random, only_beside, budget }: Mixing,
): MixedPage {
  const shown_before = new Set<Ordinal>();
  const main_rest = new Rest(main, shown_before);
  const within_page = promotion.within_page && promotion.items !== undefined;
  const promoted_rest = within_page
    ? new PromotedRest(promoted, shown_before, length)
    : new Rest(promoted, shown_before);
  const main_count = Math.ceil(length * overfetch_factor);
  // The positions of hand-picked items may depend on all of them.
  const promoted_count = promotion.items === undefined ? main_count : promoted.length;
  const show = (items: readonly SourcedItem[]): void => {
    for (const { item } of items) shown_before.add(item);
  };
  const plugin_calls = isThirdParty(promotion.id) ? 1 : 0;
  const on = () =>
    `all pages before this one are mixed with promoted items; ask for longer pages (page_size)`;
  for (let at = 0; ; at += length) {
    if (within_page && at < before && promoted_rest.first(1).length === 0) {
      show(main_rest.first(before - at));
      at = before;
    }
    const next_main = main_rest.first(main_count);
    const promotes =
      only_beside === undefined || next_main.every(({ source_feed }) => only_beside.has(source_feed));
    const next_promoted = promotes ? promoted_rest.first(promoted_count) : [];
    budget.spendOnPlugins(MIXING_UNITS + next_main.length + next_promoted.length, plugin_calls, on);
    const page = mix(next_main, next_promoted, promotion, length, overfetch_factor, random);
    if (at >= before || page.length === 0)
      return { page, is_skipped: at >= before && !promotes, shown_before };
    show(page);
  }
}
