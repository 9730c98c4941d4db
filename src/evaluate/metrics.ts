/** Discount of a 1-based rank, which may be a fraction. */
function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

/** Discounted cumulative gain (Järvelin & Kekäläinen, TOIS 2002) with linear gain; gains in order of rank. */
export function dcg(gains: Iterable<number>): number {
  let sum = 0;
  let rank = 0;
  for (const gain of gains) sum += gain * discount(++rank);
  return sum;
}

/** Quality of a page for a user with relevant items. Each figure is in [0, 1]. */
export interface PageWorth {
  recall: number;
  /** With binary gain. The ideal page has as many relevant items as fit. */
  ndcg: number;
  /** 1 if at least one relevant item is on the page. */
  hit_rate: number;
  /** 1 / rank of the first relevant item, 0 without one. */
  mrr: number;
}

/**
 * @param page items, best first, at most `top_k`
 * @param relevant at least one item
 */
export function pageWorth(page: readonly number[], relevant: ReadonlySet<number>, top_k: number): PageWorth {
  const hits = page.map((item) => (relevant.has(item) ? 1 : 0));
  const found = hits.reduce<number>((sum, hit) => sum + hit, 0);
  const first = hits.indexOf(1);
  const ideal = Array.from({ length: Math.min(relevant.size, top_k) }, () => 1);
  return {
    recall: found / relevant.size,
    ndcg: dcg(hits) / dcg(ideal),
    hit_rate: found > 0 ? 1 : 0,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

/**
 * Quality of a page whose only relevant item is at `rank` (1-based). For tied items pass the mean of their ranks, so
 * that the order of equal scores does not matter.
 */
export function rankWorth(rank: number, top_k: number): PageWorth {
  if (rank >= top_k + 1) return { recall: 0, ndcg: 0, hit_rate: 0, mrr: 0 };
  return { recall: 1, ndcg: discount(rank), hit_rate: 1, mrr: 1 / rank };
}

/** Quality of a ranking of items with known gains. Each figure is in [0, 1]. */
export interface RankingWorth {
  /** With linear gain. The ideal is the best order of the same items. */
  ndcg: number;
  /**
   * Number of items on the page that are among the `top_k` of highest gain, divided by the number of those. Items
   * without gain never count, even if fewer than `top_k` items gain. Items of equal gain all count.
   */
  precision: number;
}

/**
 * @param page items, best first, at most `top_k`
 * @param gains of every item that might be on the page; at least one above 0
 */
export function rankingWorth(
  page: readonly number[],
  gains: ReadonlyMap<number, number>,
  top_k: number,
): RankingWorth {
  const gaining = [...gains.values()].filter((gain) => gain > 0);
  const ideal = gaining.sort((one, other) => other - one).slice(0, top_k);
  const least = ideal[ideal.length - 1];
  const gained = page.map((item) => gains.get(item) ?? 0);
  const top = gained.filter((gain) => gain >= least);
  return { ndcg: dcg(gained) / dcg(ideal), precision: top.length / ideal.length };
}

/** Quality of the order of a shown page. */
export interface OrderWorth {
  /** The probability that an item that was acted on is above one that was not. Ties count half. */
  auc: number;
  /** With binary gain, at rank `top_k`. Tied items have the mean discount of their ranks. */
  ndcg: number;
}

/**
 * @param scores of the items, higher is better
 * @param acted whether the viewer acted on each; true for some and false for others
 */
export function orderWorth(scores: readonly number[], acted: readonly boolean[], top_k: number): OrderWorth {
  const groups = [...Map.groupBy(scores.keys(), (at) => scores[at])].sort(([one], [other]) => other - one);
  let [above, hits, pairs, gain] = [0, 0, 0, 0];
  for (const [, places] of groups) {
    const hit = places.filter((at) => acted[at]).length;
    const missed = places.length - hit;
    pairs += missed * (hits + hit / 2);
    let discounts = 0;
    for (let rank = above + 1; rank <= Math.min(top_k, above + places.length); rank++)
      discounts += discount(rank);
    gain += (hit * discounts) / places.length;
    hits += hit;
    above += places.length;
  }
  const ideal = Array.from({ length: Math.min(hits, top_k) }, () => 1);
  return { auc: pairs / (hits * (scores.length - hits)), ndcg: gain / dcg(ideal) };
}

/** The mean of -log p(what happened) over items, where p are the probabilities of an act. */
export function logLoss(probabilities: readonly number[], acted: readonly boolean[]): number {
  const losses = probabilities.map((p, at) => -Math.log(Math.max(1e-9, acted[at] ? p : 1 - p)));
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

export class Means<Figures extends { [Name in keyof Figures]: number }> {
  count = 0;
  private readonly sums = new Map<string, number>();

  add(figures: Figures): void {
    this.count++;
    for (const [name, value] of Object.entries<number>(figures))
      this.sums.set(name, (this.sums.get(name) ?? 0) + value);
  }

  mean(name: keyof Figures & string): number {
    return (this.sums.get(name) ?? Number.NaN) / this.count;
  }
}
