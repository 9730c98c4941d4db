/** Discount of a 1-based rank, perhaps a fraction. */
function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

/** Discounted cumulative gain (Järvelin & Kekäläinen, TOIS 2002) with linear gain, of gains in order of rank. */
export function dcg(gains: Iterable<number>): number {
  let sum = 0;
  let rank = 0;
  for (const gain of gains) sum += gain * discount(++rank);
  return sum;
}

/** What a page is worth to somebody for whom some items are relevant. Each in [0, 1]. */
export interface PageWorth {
  recall: number;
  /** Binary gain; the ideal page has as many relevant items as fit. */
  ndcg: number;
  /** 1 when anything relevant is there. */
  hit_rate: number;
  /** 1 over the rank of the first relevant item, 0 without one. */
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
 * What a page is worth whose only relevant item is at `rank` (1-based). Where several items tie, that is the
 * mean of their places, perhaps a fraction, so that no order of equal scores decides.
 */
export function rankWorth(rank: number, top_k: number): PageWorth {
  if (rank >= top_k + 1) return { recall: 0, ndcg: 0, hit_rate: 0, mrr: 0 };
  return { recall: 1, ndcg: discount(rank), hit_rate: 1, mrr: 1 / rank };
}

/** What a ranking of items is worth whose gains are known. Each in [0, 1]. */
export interface RankingWorth {
  /** Linear gain; ideal is the best order of the same items. */
  ndcg: number;
  /**
   * How many of the `top_k` of highest gain are on the page, of those that gain anything: what gains nothing is
   * no top, also when less than `top_k` gains. Of equal gains each counts.
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

/** Means of the same figures over many pages. */
export class Means<Figures extends { [Name in keyof Figures]: number }> {
  count = 0;
  private readonly sums = new Map<string, number>();

  add(figures: Figures): void {
    this.count++;
    for (const [name, value] of Object.entries<number>(figures))
      this.sums.set(name, (this.sums.get(name) ?? 0) + value);
  }

  /** NaN without a page. */
  mean(name: keyof Figures & string): number {
    return (this.sums.get(name) ?? Number.NaN) / this.count;
  }
}
