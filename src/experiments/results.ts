import type {
  EndedPeriod,
  ExperimentContent,
  PeriodTotals,
  VariantTotals,
} from '../model/experiment-content.ts';
import { comparedTotals } from './compared.ts';
import type { Experiment, Experiments } from './experiments.ts';
import { GUARDRAILS, METRIC_NAMES, type MetricName } from './metrics.ts';
import type { PageTimes } from './page-times.ts';
import { CONFIDENCE } from './statistics/compare.ts';
import { type Rate, rateOf } from './statistics/sums.ts';

interface VariantResult extends Omit<VariantTotals, 'metrics'> {
  name: string;
  rates: (Rate & { metric: MetricName })[];
  /** Of this node, while the experiment runs. Null: this node has built no page since it started. */
  latency?: PageTimes | null;
}

/** The results of one period. */
export interface Results extends NonNullable<PeriodTotals['compared']> {
  period: number;
  started_at: number;
  /** Absent while the period lasts. */
  ended_at?: number;
  /** The main metric, and metrics that should not get worse. */
  metric: string;
  guardrails: readonly string[];
  variants: VariantResult[];
}

/**
 * An experiment and the results of its current period; of the last one if it is stopped. O(viewers), with pauses.
 * @throws ServiceError `not_found`
 */
export async function readResults(
  experiments: Experiments,
  experiment_id: string,
  account: string,
): Promise<{ experiment: Experiment; results: Results }> {
  for (;;) {
    const experiment = experiments.read(experiment_id, account);
    const results = await resultsOf(experiments, experiment.content);
    const { status, variants } = experiment.content;
    // If the period ended meanwhile, only a part of its viewers was counted. Its totals are stored now.
    if (status === 'stopped' || variants.every(({ arm }) => experiments.isOpen(arm)))
      return { experiment, results };
  }
}

async function resultsOf(experiments: Experiments, content: ExperimentContent): Promise<Results> {
  const { status, period, period_started_at, variants, ended, method } = content;
  const last = ended.at(-1);
  if (status === 'stopped' && last !== undefined) return resultsOfPeriod(content, last);
  const current = { period, started_at: period_started_at, ...(await experiments.totals(content)) };
  const results = resultsOfPeriod(content, current);
  return {
    ...results,
    variants: results.variants.map((variant, at) => ({
      ...variant,
      // Interleaved pages have the arm of the first variant.
      latency: experiments.times.of(variants[method === 'interleaving' ? 0 : at].arm),
    })),
  };
}

/** The results of a period. The first variant is the control. */
export function resultsOfPeriod(
  { metric }: Pick<ExperimentContent, 'metric'>,
  { period, started_at, ended_at, variants, compared }: Omit<EndedPeriod, 'ended_at'> & { ended_at?: number },
): Results {
  return {
    period,
    started_at,
    ...(ended_at === undefined ? {} : { ended_at }),
    metric,
    guardrails: GUARDRAILS,
    variants: variants.map(({ name, totals: { metrics, ...totals } }) => ({
      name,
      ...totals,
      rates: METRIC_NAMES.map((each) => ({ metric: each, ...rateOf(metrics[each], CONFIDENCE) })),
    })),
    ...(compared ?? comparedTotals(variants)),
  };
}
