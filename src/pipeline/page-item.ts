import type { Ordinal } from '../plugin/index.ts';

/** An item with the scores that order it. */
export interface ScoredItem {
  item: Ordinal;
  /** What the scoring function said; of an explored item what puts it where it is. */
  score: number;
  /** The score after time decay: what the page is ordered by. */
  adjusted_score: number;
}

/** An item of a page. */
export interface PageItem extends ScoredItem {
  /** It has its slot because nothing is known of it yet. */
  explored?: true;
  /** `main:<feed_id>`, `promotion:<feed_id>`, …: filled in by the caller that built the feed; '' until then. */
  source_feed: string;
}
