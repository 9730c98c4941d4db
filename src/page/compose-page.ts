import type { Promotion } from '../feeds/compiled-feed.ts';
import type { PromotionPlan } from '../feeds/plan.ts';
import type { MixInput, Ordinal } from '../plugin/index.ts';
import { blaming } from '../registry/plugin-failed.ts';
import { isThirdParty } from '../registry/registry.ts';
import { onPageAlready, overfetched, type PageBuilding, type PageLists } from './lists.ts';
import type { PageItem, PromotedItem, SourcedItem } from './page-item.ts';

/** Work units for mixing one page, in addition to those of its items. */
const MIXING_UNITS = 16;

export interface ComposedPage {
  page: SourcedItem[];
  /** For plain pages: the items of the pages before it. */
  shown_before: ReadonlySet<Ordinal>;
}

/**
 * Step 4: composes a page of its main list and its promoted items. Spec 8.
 *
 * Items of earlier pages are not repeated, so these pages are mixed first. Once nothing is left to promote, pages are
 * cut from the main list.
 * @throws Error if the strategy returns an invalid page; ServiceError `request_too_costly`
 */
export function composePage(
  { main, promoted, only_beside }: PageLists,
  promotion: PromotionPlan | undefined,
  building: PageBuilding,
): ComposedPage {
  const { context, length, offset: before = 0, warnings, record } = building;
  if (promotion === undefined) {
    const shown_before = new Set(main.slice(0, before).map(({ item }) => item));
    return { page: before === 0 ? main : main.slice(before), shown_before };
  }
  const shown_before = new Set<Ordinal>();
  if (record !== undefined) record.shown_before = shown_before;
  const main_rest = new Rest(main, shown_before);
  const within_page = promotion.within_page && promotion.items !== undefined;
  const promoted_rest = within_page
    ? new PromotedRest(promoted, shown_before, length)
    : new Rest(promoted, shown_before);
  const main_count = overfetched(building);
  // The positions of hand-picked items may depend on all of them.
  const promoted_count = promotion.items === undefined ? main_count : promoted.length;
  const show = (items: readonly SourcedItem[]): void => {
    for (const { item } of items) shown_before.add(item);
  };
  const overfetch_factor = building.offset === undefined ? building.overfetch_factor : 1;
  const mixing = { page: length, overfetch_factor, random: context.random };
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
    context.page.budget.spendOnPlugins(
      MIXING_UNITS + next_main.length + next_promoted.length,
      plugin_calls,
      on,
    );
    const start_ms = record?.monotonicMs() ?? 0;
    const page = blaming(promotion.id, () => mix(next_main, next_promoted, promotion, mixing));
    record?.mixed(promotion.id, next_main, next_promoted, page.length, start_ms);
    if (at >= before || page.length === 0) {
      if (at >= before && !promotes) warnings.push(onPageAlready(promotion));
      return { page, shown_before };
    }
    show(page);
  }
}

/**
 * Mixes promoted items into the main list.
 * @throws Error if the strategy returns an item twice, an item that is not in the input, too many slots, or too few
 * slots while items of the main list are left
 */
export function mix(
  main: readonly SourcedItem[],
  promoted: readonly PromotedItem[],
  promotion: Promotion,
  { page, overfetch_factor, random }: Pick<MixInput, 'page' | 'overfetch_factor' | 'random'>,
): SourcedItem[] {
  const slots = promotion.mix({
    main: main.map(({ item }) => item),
    promoted: promoted.map(({ item, rank }) => ({ item, rank })),
    page,
    overfetch_factor,
    random,
  });
  if (slots.length > page) throw new Error(`${slots.length} slots for a page of ${page}`);
  const main_items = byOrdinal(main);
  const promoted_items = byOrdinal(promoted);
  const used = new Set<Ordinal>();
  const mixed = slots.map((slot) => {
    const item = (slot.promoted ? promoted_items : main_items).get(slot.item);
    if (item === undefined) throw new Error('a slot holds an item that is not in the input');
    if (used.has(slot.item)) throw new Error('two slots hold the same item');
    used.add(slot.item);
    return item;
  });
  if (mixed.length < page && main.some(({ item }) => !used.has(item)))
    throw new Error(`${mixed.length} slots for a page of ${page}, and items of the main list are left`);
  return mixed;
}

function byOrdinal<T extends PageItem>(items: readonly T[]): Map<Ordinal, T> {
  return new Map(items.map((item) => [item.item, item]));
}

/** The items of a list that have not been shown. */
class Rest<T extends PageItem> {
  /** Per index, where to continue the search, so that a run of shown items is skipped in one step. */
  private readonly next: Int32Array;

  constructor(
    private readonly items: readonly T[],
    private readonly shown: ReadonlySet<Ordinal>,
  ) {
    this.next = Int32Array.from(items, (_, at) => at);
  }

  /** The first `count` items. Amortised O(count). */
  first(count: number): T[] {
    const { items } = this;
    const first: T[] = [];
    for (let at = this.from(0); at < items.length && first.length < count; at = this.from(at + 1))
      first.push(items[at]);
    return first;
  }

  /** The index of the first item from here on that was not shown. */
  private from(place: number): number {
    const { items, shown, next } = this;
    let at = place;
    while (at < items.length && (next[at] > at || shown.has(items[at].item))) at = Math.max(next[at], at + 1);
    for (let passed = place; passed < at && passed < items.length; ) {
      const further = Math.max(next[passed], passed + 1);
      next[passed] = at;
      passed = further;
    }
    return at;
  }
}

/**
 * Hand-picked items that have not been shown and that a page of `length` can show: pinned ones, and the first others.
 */
class PromotedRest {
  private readonly pinned: Rest<PromotedItem>;
  private readonly others: Rest<PromotedItem>;

  constructor(
    promoted: readonly PromotedItem[],
    shown: ReadonlySet<Ordinal>,
    private readonly length: number,
  ) {
    const pinned = promoted.filter(({ rank }) => rank !== undefined && rank <= length);
    this.pinned = new Rest(pinned, shown);
    this.others = new Rest(
      promoted.filter(({ rank }) => rank === undefined),
      shown,
    );
  }

  /** The first `count` items, pinned ones first. */
  first(count: number): PromotedItem[] {
    const pinned = this.pinned.first(count);
    return [...pinned, ...this.others.first(Math.min(this.length, count - pinned.length))];
  }
}
