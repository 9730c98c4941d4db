import type { Ordinal } from '../plugin/index.ts';
import { tieBreak } from '../signals/order.ts';
import { ScoredQueue } from '../signals/scored-queue.ts';
import { Candidates } from './candidates.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import { rank } from './ranking.ts';
import type { Request } from './request.ts';
import { allOf, fillPage } from './visibility.ts';

export interface PageItem {
  item: Ordinal;
  /** What the scoring function said. */
  score: number;
}

/**
 * Builds one page: candidates → ranking → visibility, spec 1. Synchronous, so it sees one state. The page
 * is ordered by score (ties: newer, then `item_id`) and shorter than `length` only when no eligible item
 * is left.
 */
export function buildPage(feed: CompiledFeed, request: Request): PageItem[] {
  const length = request.page_length;
  const filtered = allOf(feed.filters.map((filter) => filter.bind(request)));
  const admits = (item: Ordinal) => request.eligible(item) && filtered(item);
  const visible = allOf(feed.rules.map((rule) => rule.bind(request)));
  request.restrictTo((item) => admits(item) && visible(item));

  const { state } = request.engine;
  const candidates = new Candidates(feed, request, admits);
  const score = feed.scoring.bind(request);
  const queue = new ScoredQueue((one, other) => tieBreak(state, one, other));
  const page: PageItem[] = [];
  let batch = candidates.first();
  let batches = 0;
  do {
    rank(batch, score, queue);
    fillPage(page, queue, visible, length);
    if (page.length === length) break;
    batch = candidates.more(2 * length);
    batches++;
  } while (batch.length > 0);
  if (batches > 0)
    page.sort((one, other) => other.score - one.score || tieBreak(state, one.item, other.item));
  return page;
}
