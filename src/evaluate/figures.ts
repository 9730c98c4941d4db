/** What is measured of each page. Protocols measure some of these. */
export type Figure = 'recall' | 'ndcg' | 'hit_rate' | 'mrr' | 'precision';

/** The figures of a protocol. The verdict compares the first. */
export const FIGURES = {
  holdout: ['recall', 'ndcg', 'hit_rate', 'mrr'],
  // Recall is left out: with a single relevant item it equals the hit rate.
  replay: ['hit_rate', 'ndcg', 'mrr'],
  tune: ['hit_rate', 'ndcg', 'mrr'],
  trending: ['ndcg', 'precision'],
  alpha: ['recall', 'ndcg', 'hit_rate', 'mrr'],
} as const satisfies Record<string, readonly Figure[]>;

export type Protocol = keyof typeof FIGURES;
