import type { SemanticDiversity } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** Each slot is given to one of this many best items that are left. */
export const SEMANTIC_CHOICE = 32;

/** As many items as for this many pages are spread. */
const PAGES_SPREAD = 2;

/**
 * The most numbers of embeddings that are compared to spread the items of a list once, which takes 10 to 15 ms. Other
 * requests wait meanwhile. A page of 500 items, each with 1,024 numbers, needs less with a horizon up to 10.
 */
const NUMBERS_COMPARED_MAX = 24_000_000;

/** The similarity of two items, from 0 to 1. 0 for items without embedding. */
export type Similarity = (one: Ordinal, other: Ordinal) => number;

class Choice {
  greatest = 0;
  /** The similarities to the `horizon` items before the slot, in a ring. 0 where there is none. */
  private readonly similarities: Float64Array;

  constructor(
    readonly item: PageItem,
    horizon: number,
  ) {
    this.similarities = new Float64Array(horizon);
  }

  /** Notes the similarity to the item at a place of the ring. The item that was there is beyond the horizon now. */
  note(place: number, similarity: number): void {
    const before = this.similarities[place];
    this.similarities[place] = similarity;
    if (similarity >= this.greatest) this.greatest = similarity;
    else if (before === this.greatest) this.greatest = this.similarities.reduce((a, b) => Math.max(a, b));
  }
}

/**
 * Orders items so that similar ones lie apart, by maximal marginal relevance (Carbonell and Goldstein, "The use of MMR,
 * diversity-based reranking", SIGIR 1998).
 *
 * Each slot gets the item with the greatest lambda × score − (1 − lambda) × similarity, among the `SEMANTIC_CHOICE` best
 * ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the
 * `horizon` items before the slot. O(items × (`SEMANTIC_CHOICE` + horizon)).
 */
export function spreadMeanings(
  ranked: readonly PageItem[],
  { lambda, horizon }: SemanticDiversity,
  similarity: Similarity,
  list: readonly PageItem[] = [],
): PageItem[] {
  const greatest = [...list, ...ranked].reduce((most, item) => Math.max(most, item.adjusted_score), 0);
  /** The items before the slot, in a ring. */
  const placed = list.slice(-horizon);
  let place = placed.length % horizon;
  const choices: Choice[] = [];
  const spread: PageItem[] = [];
  const scoreOf = ({ item, greatest: nearest }: Choice): number => {
    const share = greatest > 0 ? item.adjusted_score / greatest : 0;
    return lambda * share - (1 - lambda) * nearest;
  };
  let next = 0;
  while (spread.length < ranked.length) {
    while (choices.length < SEMANTIC_CHOICE && next < ranked.length) {
      const choice = new Choice(ranked[next++], horizon);
      for (let at = 0; at < placed.length; at++)
        choice.note(at, similarity(choice.item.item, placed[at].item));
      choices.push(choice);
    }
    let best = 0;
    let best_score = scoreOf(choices[0]);
    for (let at = 1; at < choices.length; at++) {
      const score = scoreOf(choices[at]);
      if (score > best_score) [best, best_score] = [at, score];
    }
    const [{ item }] = choices.splice(best, 1);
    spread.push(item);
    placed[place] = item;
    for (const choice of choices) choice.note(place, similarity(choice.item.item, item.item));
    place = (place + 1) % horizon;
  }
  return spread;
}

/** Spreads the best items of a list, which may grow from call to call. */
export type Spreader = (ranked: readonly PageItem[]) => PageItem[];

/**
 * Spreads the best items for pages of `length`. Later ones stay in their order: limits of diversity can refuse so many
 * items of one author that all items of a community are ranked for one page, which would take seconds to spread.
 *
 * The number of items that are spread depends on the length of their embeddings (`NUMBERS_COMPARED_MAX`). It does not
 * depend on the page if the page is long, so long lists begin in the same way.
 * @param embedding_length the numbers of each embedding, above 0
 */
export function spreader(
  diversity: SemanticDiversity,
  length: number,
  embedding_length: number,
  similarity: Similarity,
  list: readonly PageItem[],
): Spreader {
  const numbers_per_item = embedding_length * (SEMANTIC_CHOICE + diversity.horizon);
  const most = Math.min(
    PAGES_SPREAD * (length + SEMANTIC_CHOICE),
    Math.floor(NUMBERS_COMPARED_MAX / numbers_per_item),
  );
  let before: readonly PageItem[] = [];
  let spread: PageItem[] = [];
  return (ranked) => {
    const best = ranked.slice(0, most);
    const is_known = best.length === before.length && best.every((item, at) => item === before[at]);
    if (!is_known) spread = spreadMeanings(best, diversity, similarity, list);
    before = best;
    return spread.concat(ranked.slice(most));
  };
}
