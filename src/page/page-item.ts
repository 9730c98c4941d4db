import type { Ordinal } from '../plugin/index.ts';
import { tieBreak } from '../signals/order.ts';
import type { State } from '../state/state.ts';

export interface ScoredItem {
  item: Ordinal;
  /** The score of the scoring function. For an explored item, the score of its slot. */
  score: number;
  /** The score times all factors, such as time decay. It orders the page. */
  adjusted_score: number;
}

export interface PageItem extends ScoredItem {
  /** Only if the item has its slot by exploration: how many items the page drew, from how many of the newest. */
  explored?: { drawn: number; from: number };
  /** `main:<feed_id>`, `promotion:<feed_id>`, …. '' until the feed's builder sets it. */
  source_feed: string;
}

/** An item of a page with its source feed and the promotion that placed it. */
export interface SourcedItem extends PageItem {
  promotion_name?: string;
  /** The interleaved variant that chose it. */
  team?: string;
}

/** How an item got its slot. */
export function originOf({ promotion_name, explored, source_feed }: SourcedItem) {
  if (promotion_name !== undefined) return 'promoted';
  if (explored !== undefined) return 'explored';
  if (source_feed.startsWith('fallback_')) return 'fallback';
  return source_feed.startsWith('seen:') ? 'seen' : 'scored';
}

/** A promoted item, optionally pinned to a 1-based slot. */
export interface PromotedItem extends SourcedItem {
  rank?: number;
}

/** Creates all fields at once, so that the object's layout does not change later. */
export function pageItem(item: Ordinal, score: number, adjusted_score: number): PageItem {
  return { item, score, adjusted_score, explored: undefined, source_feed: '' };
}

export function comparePageItems(state: State, one: ScoredItem, other: ScoredItem): number {
  return other.adjusted_score - one.adjusted_score || tieBreak(state, one.item, other.item);
}

export function sortPageItems(items: PageItem[], state: State): void {
  items.sort((one, other) => comparePageItems(state, one, other));
}
