import type { SemanticDiversity } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** Each slot is given to one of this many best items that are left. */
export const SEMANTIC_CHOICE = 32;

/** As many items as for this many pages are spread. */
const PAGES_SPREAD = 2;

/** An item that may get the next slot, and its similarities to the items before that slot, latest first. */
interface Choice {
  item: PageItem;
  similarities: Float64Array;
}

/**
 * Orders items so that similar ones lie apart, by maximal marginal relevance (Carbonell and Goldstein, "The use of MMR,
 * diversity-based reranking", SIGIR 1998).
 *
 * Each slot gets the item with the greatest lambda × score − (1 − lambda) × similarity, among the `SEMANTIC_CHOICE` best
 * ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the
 * `horizon` items before the slot. O(items × (`SEMANTIC_CHOICE` + horizon)).
 * @param ranked best first
 * @param similarity from 0 to 1; 0 for items without embedding
 * @param list the items before
 */
export function spreadMeanings(
  ranked: readonly PageItem[],
  { lambda, horizon }: SemanticDiversity,
  similarity: (one: Ordinal, other: Ordinal) => number,
  list: readonly PageItem[] = [],
): PageItem[] {
  const greatest = Math.max(0, ...[...list, ...ranked].map(({ adjusted_score }) => adjusted_score));
  const placed = list.slice(-horizon);
  const choices: Choice[] = [];
  const spread: PageItem[] = [];
  const scoreOf = ({ item, similarities }: Choice): number => {
    const share = greatest > 0 ? item.adjusted_score / greatest : 0;
    return lambda * share - (1 - lambda) * Math.max(...similarities);
  };
  let next = 0;
  while (spread.length < ranked.length) {
    while (choices.length < SEMANTIC_CHOICE && next < ranked.length) {
      const item = ranked[next++];
      const similarities = new Float64Array(horizon);
      for (const [at, before] of placed.entries())
        similarities[placed.length - 1 - at] = similarity(item.item, before.item);
      choices.push({ item, similarities });
    }
    let best = 0;
    let best_score = scoreOf(choices[0]);
    for (let at = 1; at < choices.length; at++) {
      const score = scoreOf(choices[at]);
      if (score > best_score) [best, best_score] = [at, score];
    }
    const [{ item }] = choices.splice(best, 1);
    spread.push(item);
    placed.push(item);
    if (placed.length > horizon) placed.shift();
    for (const choice of choices) {
      // The last place is that of the item that is now beyond the horizon.
      choice.similarities.copyWithin(1, 0);
      choice.similarities[0] = similarity(choice.item.item, item.item);
    }
  }
  return spread;
}

/**
 * Spreads the best items for a page of `length`. Later ones stay in their order: limits of diversity can refuse so many
 * items of one author that all items of a community are ranked for one page, which would take seconds to spread.
 * @param ranked best first
 */
export function spreadBest(
  ranked: readonly PageItem[],
  length: number,
  diversity: SemanticDiversity,
  similarity: (one: Ordinal, other: Ordinal) => number,
  list: readonly PageItem[],
): PageItem[] {
  const most = PAGES_SPREAD * (length + SEMANTIC_CHOICE);
  const best = spreadMeanings(ranked.slice(0, most), diversity, similarity, list);
  return best.concat(ranked.slice(most));
}
