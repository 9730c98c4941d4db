import type { Ordinal } from '../plugin/index.ts';

/** An item with the scores that order it. */
export interface ScoredItem {
  item: Ordinal;
  /** The score of the scoring function. For an explored item, the score of its slot. */
  score: number;
  /** The score after time decay, which orders the page. */
  adjusted_score: number;
}

/** An item of a page. */
export interface PageItem extends ScoredItem {
  /** The item has its slot by exploration. */
  explored?: true;
  /** `main:<feed_id>`, `promotion:<feed_id>`, …. '' until the feed's builder sets it. */
  source_feed: string;
}
