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

/** Points of viewers are integers from 0 on, below this. */
export const POINTS = 2 ** 32;

/** Points of viewers from one on, below another. */
export interface PointRange {
  from: number;
  to: number;
  /** See `experiments/ranges.ts`. */
  cohort: string;
}

export interface ExperimentVariant {
  name: string;
  /** The saved feed that viewers of this variant get. */
  feed_id: string;
  percent: number;
  /** Identifies this variant in this period in stored pages. Never used twice. */
  arm: number;
  /** The points that it has, in the order in which it got them. Interleaved variants share those of the first. */
  ranges: PointRange[];
  /** The points that it gave up in this period. */
  left: PointRange[];
}

/** `split`: each viewer gets one variant. `interleaving`: each page has items of both. */
export type ExperimentMethod = 'split' | 'interleaving';

/** How a variant differs from the control in one metric. Null: not known, or too little data. */
export interface MetricComparison {
  metric: string;
  variant: string;
  /** 0.05: the value is 5 % higher. Of interleaved variants: the difference of their credit, as a share of both. */
  lift: number | null;
  /** The interval of the lift, valid at all looks together. */
  ci_low: number | null;
  ci_high: number | null;
  /** Valid at every look, and corrected for the number of treatments. */
  p_value_sequential: number | null;
  /** Whether the difference is more than chance explains. */
  decided: boolean;
}

/** What the viewers of a period did, and what follows from it. */
export interface PeriodTotals {
  variants: (Pick<ExperimentVariant, 'name' | 'feed_id' | 'percent'> & { totals: VariantTotals })[];
  /** Only if the totals alone do not give it: after other percents, and of interleaved variants. */
  compared?: {
    comparison: MetricComparison[];
    /** Null: the variants have the same viewers. */
    sample_ratio: { p_value: number | null; ok: boolean } | null;
  };
}

/** A period that has ended. Its totals never change. */
export interface EndedPeriod extends PeriodTotals {
  period: number;
  /** seconds */
  started_at: number;
  ended_at: number;
}

/** One version of an experiment. Stored as JSON text. */
export interface ExperimentContent {
  account: string;
  name: string;
  /** The feed whose viewers are split. */
  feed_id: string;
  method: ExperimentMethod;
  metric: string;
  attribution_hours: number;
  status: 'running' | 'stopped';
  /** Makes the assignment of viewers independent of other experiments. */
  salt: string;
  /** The first variant is the control. */
  variants: ExperimentVariant[];
  /** The revisions of the variants' feeds with which the period began, by the id of the feed. */
  pinned: Record<string, number>;
  /** Counts from 1. Taking other revisions of the feeds begins a new period, and so does starting again. */
  period: number;
  period_started_at: number;
  /** How often the percents were changed in this period. */
  percent_changes: number;
  /** The latest ones, oldest first. */
  ended: EndedPeriod[];
  revision: number;
  created_at: number;
  updated_at: number;
  /** Who made this version, as in `Edit`, and how. */
  actor: string;
  operation: 'create' | 'change' | 'stop' | 'delete' | 'import';
}
