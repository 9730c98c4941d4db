/** What is measured of each page. Protocols measure some of these. */
export type Figure = 'recall' | 'ndcg' | 'hit_rate' | 'mrr' | 'precision' | 'auc' | 'log_loss';

/** The figures of a protocol. The verdict compares the first. */
export const FIGURES = {
  holdout: ['recall', 'ndcg', 'hit_rate', 'mrr'],
  // Recall is left out: with a single relevant item it equals the hit rate.
  replay: ['hit_rate', 'ndcg', 'mrr'],
  tune: ['hit_rate', 'ndcg', 'mrr'],
  trending: ['ndcg', 'precision'],
  // Log loss is measured where there is a probability.
  impressions: ['auc', 'ndcg', 'log_loss'],
  alpha: ['recall', 'ndcg', 'hit_rate', 'mrr'],
} as const satisfies Record<string, readonly Figure[]>;

export type Protocol = keyof typeof FIGURES;
