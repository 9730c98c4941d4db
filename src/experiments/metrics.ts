import { EVENT_CODE, type EventType } from '../model/acts.ts';
import type { MetricSums, VariantTotals } from '../model/experiment-content.ts';
import type { VariantViewer } from './variant-viewer.ts';

/** Types of acts that count as interest in an item. */
const INTERACTIONS: readonly EventType[] = ['like', 'comment', 'share', 'bookmark'];

/** One number per viewer. `weight` is the denominator of a ratio over all viewers; undefined for a rate per viewer. */
interface Metric {
  value(viewer: VariantViewer): number;
  weight?(viewer: VariantViewer): number;
  /** Whether the number of a viewer is known. Default: always. @param today days since the epoch */
  isKnown?(viewer: VariantViewer, today: number): boolean;
}

function actsOf(...types: readonly EventType[]): Metric['value'] {
  return ({ acts }) => types.reduce((sum, type) => sum + acts[EVENT_CODE[type]], 0);
}

const METRICS = {
  interactions: { value: actsOf(...INTERACTIONS) },
  interactions_per_impression: { value: actsOf(...INTERACTIONS), weight: ({ impressions }) => impressions },
  like: { value: actsOf('like') },
  comment: { value: actsOf('comment') },
  share: { value: actsOf('share') },
  bookmark: { value: actsOf('bookmark') },
  view: { value: actsOf('view') },
  next_day_return: {
    value: ({ has_returned }) => Number(has_returned),
    // The day after the first one is not over before.
    isKnown: ({ first_day }, today) => first_day + 1 < today,
  },
  hide: { value: actsOf('hide') },
  report: { value: actsOf('report') },
  short_pages: { value: ({ short_pages }) => short_pages, weight: ({ pages }) => pages },
} satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Metrics that should not get worse, whatever an experiment is about. */
export const GUARDRAILS: readonly MetricName[] = ['hide', 'report', 'short_pages'];

const LIST: readonly (readonly [MetricName, Metric])[] = METRIC_NAMES.map((name) => [name, METRICS[name]]);

/** Sums over the viewers of a variant. */
export class TotalsSum {
  private readonly totals: VariantTotals = {
    viewers: 0,
    impressions: 0,
    pages: 0,
    short_pages: 0,
    metrics: Object.fromEntries(LIST.map(([name, metric]) => [name, emptySums(metric)])),
  };

  /** @param today days since the epoch */
  constructor(private readonly today: number) {}

  add(viewer: VariantViewer): void {
    const { totals } = this;
    totals.viewers++;
    totals.impressions += viewer.impressions;
    totals.pages += viewer.pages;
    totals.short_pages += viewer.short_pages;
    for (const [name, metric] of LIST) {
      if (metric.isKnown?.(viewer, this.today) !== false) add(totals.metrics[name], metric, viewer);
    }
  }

  result(): VariantTotals {
    return this.totals;
  }
}

function emptySums({ weight }: Metric): MetricSums {
  const sums = { viewers: 0, sum: 0, sum_squares: 0 };
  return weight === undefined ? sums : { ...sums, weight_sum: 0, weight_squares: 0, cross_sum: 0 };
}

function add(sums: MetricSums, metric: Metric, viewer: VariantViewer): void {
  const value = metric.value(viewer);
  sums.viewers++;
  sums.sum += value;
  sums.sum_squares += value * value;
  if (metric.weight === undefined) return;
  const weight = metric.weight(viewer);
  sums.weight_sum = (sums.weight_sum ?? 0) + weight;
  sums.weight_squares = (sums.weight_squares ?? 0) + weight * weight;
  sums.cross_sum = (sums.cross_sum ?? 0) + value * weight;
}
