import type { EndedPeriod, ExperimentContent, VariantTotals } from '../model/experiment-content.ts';
import type { Experiment, Experiments } from './experiments.ts';
import { GUARDRAILS, METRIC_NAMES, type MetricName } from './metrics.ts';
import type { PageTimes } from './page-times.ts';
import { CONFIDENCE, type Comparison, compareVariants } from './statistics/compare.ts';
import { type SampleRatio, sampleRatio } from './statistics/sample-ratio.ts';
import { type Rate, rateOf } from './statistics/sums.ts';

interface VariantResult extends Omit<VariantTotals, 'metrics'> {
  name: string;
  rates: (Rate & { metric: MetricName })[];
  /** Of this node, while the experiment runs. */
  latency?: PageTimes;
}

/** The results of one period. */
export interface Results {
  period: number;
  started_at: number;
  /** Absent while the period lasts. */
  ended_at?: number;
  /** The main metric, and metrics that should not get worse. */
  metric: string;
  guardrails: readonly string[];
  variants: VariantResult[];
  comparison: (Comparison & { metric: MetricName; variant: string })[];
  sample_ratio: SampleRatio;
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
  const { status, period, period_started_at, variants, ended } = content;
  const last = ended.at(-1);
  if (status === 'stopped' && last !== undefined) return resultsOfPeriod(content, last);
  const current = { period, started_at: period_started_at, variants: await experiments.totals(content) };
  const results = resultsOfPeriod(content, current);
  return {
    ...results,
    variants: results.variants.map((variant, at) => ({
      ...variant,
      latency: experiments.times.of(variants[at].arm),
    })),
  };
}

/** The results of a period. The first variant is the control. */
export function resultsOfPeriod(
  { metric }: Pick<ExperimentContent, 'metric'>,
  { period, started_at, ended_at, variants }: Omit<EndedPeriod, 'ended_at'> & { ended_at?: number },
): Results {
  const [control, ...treatments] = variants;
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
    comparison: treatments.flatMap(({ name, totals }) =>
      METRIC_NAMES.map((each) => {
        const options = { treatments_count: treatments.length };
        const compared = compareVariants(control.totals.metrics[each], totals.metrics[each], options);
        return { metric: each, variant: name, ...compared };
      }),
    ),
    sample_ratio: sampleRatio(
      variants.map(({ totals }) => totals.viewers),
      variants.map(({ percent }) => percent),
    ),
  };
}
