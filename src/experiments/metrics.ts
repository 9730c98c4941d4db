import { EVENT_CODE, type EventType } from '../model/acts.ts';
import type { ExperimentMethod, MetricSums, VariantTotals } from '../model/experiment-content.ts';
import type { VariantViewer } from './variant-viewer.ts';

/** Types of acts that count as interest in an item. */
const INTERACTIONS: readonly EventType[] = ['like', 'comment', 'share', 'bookmark'];

/** One number per viewer. `weight` is the denominator of a ratio over all viewers; undefined for a rate per viewer. */
interface Metric {
  value(viewer: Counted): number;
  weight?(viewer: Counted): number;
  /** Whether the number of a viewer is known. Default: always. @param today days since the epoch */
  isKnown?(viewer: Counted, today: number): boolean;
  /** Whether it counts acts on items, which are the credit of interleaved variants. */
  is_credit?: true;
}

type Counted = Omit<VariantViewer, 'of_teams'>;

function actsOf(...types: readonly EventType[]): Metric['value'] {
  return ({ acts }) => types.reduce((sum, type) => sum + acts[EVENT_CODE[type]], 0);
}

function credit(...types: readonly EventType[]): Metric {
  return { value: actsOf(...types), is_credit: true };
}

const METRICS = {
  interactions: credit(...INTERACTIONS),
  interactions_per_impression: { value: actsOf(...INTERACTIONS), weight: ({ impressions }) => impressions },
  like: credit('like'),
  comment: credit('comment'),
  share: credit('share'),
  bookmark: credit('bookmark'),
  view: credit('view'),
  next_day_return: {
    value: ({ has_returned }) => Number(has_returned),
    // The day after the first one is not over before.
    isKnown: ({ first_day }, today) => first_day + 1 < today,
  },
  hide: credit('hide'),
  report: credit('report'),
  short_pages: { value: ({ short_pages }) => short_pages, weight: ({ pages }) => pages },
} satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Metrics that should not get worse, whatever an experiment is about. */
export const GUARDRAILS: readonly MetricName[] = ['hide', 'report', 'short_pages'];

const LIST: readonly (readonly [MetricName, Metric])[] = METRIC_NAMES.map((name) => [name, METRICS[name]]);

/** Metrics by which interleaved variants can be compared. */
export const CREDIT_METRICS = LIST.flatMap(([name, { is_credit }]) => (is_credit ? [name] : []));

/** The value of a metric for one viewer. */
export function metricOf(name: MetricName, viewer: Counted): number {
  return METRICS[name].value(viewer);
}

/** How each method counts the metrics. Interleaved variants share their viewers, so their acts count per page. */
const COUNTED: Readonly<Record<ExperimentMethod, typeof LIST>> = {
  split: LIST,
  interleaving: LIST.map(([name, metric]) => [
    name,
    metric.is_credit ? { ...metric, weight: ({ pages }) => pages } : metric,
  ]),
};

/** Sums over the viewers of a variant. */
export class TotalsSum {
  private readonly metrics: typeof LIST;
  private readonly totals: VariantTotals;

  /** @param today days since the epoch */
  constructor(
    private readonly today: number,
    method: ExperimentMethod,
  ) {
    this.metrics = COUNTED[method];
    const metrics = Object.fromEntries(this.metrics.map(([name, metric]) => [name, emptySums(metric)]));
    this.totals = { viewers: 0, impressions: 0, pages: 0, short_pages: 0, metrics };
  }

  add(viewer: Counted): void {
    const { totals } = this;
    totals.viewers++;
    totals.impressions += viewer.impressions;
    totals.pages += viewer.pages;
    totals.short_pages += viewer.short_pages;
    for (const [name, metric] of this.metrics) {
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

function add(sums: MetricSums, metric: Metric, viewer: Counted): void {
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
