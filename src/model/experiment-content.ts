/** Sums over the viewers of one variant, from which every statistic is computed. */
export interface MetricSums {
  viewers: number;
  /** Σ y */
  sum: number;
  /** Σ y² */
  sum_squares: number;
  /** Of ratio metrics: Σ w, Σ w² and Σ y·w, with the denominators w. */
  weight_sum?: number;
  weight_squares?: number;
  cross_sum?: number;
}

/** What the viewers of one variant did in one period. */
export interface VariantTotals {
  viewers: number;
  /** Items recorded as seen. */
  impressions: number;
  /** Pages with items recorded as seen, and those of them that were shorter than requested. */
  pages: number;
  short_pages: number;
  /** By the name of the metric. */
  metrics: Record<string, MetricSums>;
}

export interface ExperimentVariant {
  name: string;
  /** The saved feed that viewers of this variant get. */
  feed_id: string;
  percent: number;
  /** Identifies this variant in this period in stored impressions. Never used twice. */
  arm: number;
}

/** A period that has ended. Its totals never change. */
export interface EndedPeriod {
  period: number;
  /** seconds */
  started_at: number;
  ended_at: number;
  variants: (Omit<ExperimentVariant, 'arm'> & { totals: VariantTotals })[];
}

/** One version of an experiment. Stored as JSON text. */
export interface ExperimentContent {
  account: string;
  name: string;
  /** The feed whose viewers are split. */
  feed_id: string;
  metric: string;
  attribution_hours: number;
  status: 'running' | 'stopped';
  /** Makes the assignment of viewers independent of other experiments. */
  salt: string;
  /** The first variant is the control. */
  variants: ExperimentVariant[];
  /** Counts from 1. A change of the percents begins a new period, and so does starting again. */
  period: number;
  period_started_at: number;
  /** The latest ones, oldest first. */
  ended: EndedPeriod[];
  revision: number;
  created_at: number;
  updated_at: number;
  /** Who made this version, as in `Edit`, and how. */
  actor: string;
  operation: 'create' | 'change' | 'stop' | 'delete' | 'import';
}
