import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import type { ExperimentContent } from '../model/experiment-content.ts';
import {
  EXPERIMENT_ID,
  experimentId,
  experimentNumber,
  IMPORTED_NUMBER_MAX,
} from '../model/experiment-id.ts';
import { type Parsed, readRecord } from '../model/values/record.ts';
import { objectOf, omittable, type RecordOf, recordType, required } from '../model/values/record-type.ts';
import { expected } from '../model/values/refusal.ts';
import * as type from '../model/values/values.ts';
import { AttributionHours, EXPERIMENT, Metric, Name, Status, VARIANT } from './form.ts';
import { METRIC_NAMES } from './metrics.ts';
import { type CountedData, totalsOf } from './totals.ts';

const ExperimentId: type.ValueType<string> = {
  schema: Type.String({ pattern: EXPERIMENT_ID.source }),
  check: (value) =>
    typeof value === 'string' && experimentNumber(value) <= IMPORTED_NUMBER_MAX
      ? value
      : expected(`an id from exp_1 to exp_${IMPORTED_NUMBER_MAX}`, value),
};

const Sum = type.number(0, Number.MAX_VALUE);
/** A number that counts from 1. */
const Ordinal = type.integer(1, Number.MAX_SAFE_INTEGER);

const Sums = objectOf(
  recordType('', '', {
    viewers: required(type.Count),
    sum: required(Sum),
    sum_squares: required(Sum),
    weight_sum: omittable(Sum),
    weight_squares: omittable(Sum),
    cross_sum: omittable(Sum),
  }),
);

const SUMS = Object.fromEntries(METRIC_NAMES.map((name) => [name, required(Sums)]));

const Totals = objectOf(
  recordType('', '', {
    viewers: required(type.Count),
    impressions: required(type.Count),
    pages: required(type.Count),
    short_pages: required(type.Count),
    metrics: required(objectOf(recordType('', '', SUMS))),
  }),
);

const EndedVariant = objectOf(recordType('', '', { ...VARIANT, totals: required(Totals) }));

const Ended = objectOf(
  recordType('', '', {
    period: required(Ordinal),
    started_at: required(type.Time),
    ended_at: required(type.Time),
    variants: required(type.list(EndedVariant, 2, LIMITS.experiment_variants_max, 'variants')),
  }),
);

/** A line of `experiments.jsonl`. */
const LINE = recordType('', '', {
  experiment_id: required(ExperimentId),
  account: required(Name),
  ...EXPERIMENT,
  metric: required(Metric),
  attribution_hours: required(AttributionHours),
  status: required(Status),
  salt: required(Name),
  period: required(Ordinal),
  ended: required(type.list(Ended, 0, LIMITS.experiment_periods_kept, 'periods')),
  revision: required(Ordinal),
  created_at: required(type.Time),
  updated_at: required(type.Time),
});

export type ExperimentLine = RecordOf<typeof LINE>;

/**
 * Lines of all experiments. The current period of a running one is exported as ended now, with its totals, because a
 * file has no viewers' rows.
 */
export async function* experimentLines(data: CountedData): AsyncGenerator<ExperimentLine> {
  const { state } = data;
  for (const [number, content] of state.experiments.all()) {
    const { account, name, feed_id, metric, attribution_hours, status, salt, period } = content;
    const { period_started_at: started_at, revision, created_at, updated_at } = content;
    const ended = [...content.ended];
    if (status === 'running')
      ended.push({
        period,
        started_at,
        ended_at: Math.max(started_at, data.now()),
        variants: await totalsOf(data, content),
      });
    yield {
      ...{ experiment_id: experimentId(number), account, name, feed_id },
      ...{ metric: metric as ExperimentLine['metric'], attribution_hours, status, salt, period },
      variants: content.variants.map(({ arm: _, ...variant }) => variant),
      ended: ended.slice(-LIMITS.experiment_periods_kept) as ExperimentLine['ended'],
      ...{ revision, created_at, updated_at },
    };
  }
}

/** Parses a line of `experiments.jsonl`. */
export function parseExperimentLine(value: unknown): Parsed<ExperimentLine> {
  return readRecord(value, LINE.shape);
}

/** The content of an imported experiment. A running one begins a new period. @param first_arm of its variants */
export function importedContent(
  line: ExperimentLine,
  now: number,
  actor: string,
  first_arm: number,
): ExperimentContent {
  const { experiment_id: _, variants, status, period, ...rest } = line;
  const runs = status === 'running';
  return {
    ...rest,
    status,
    variants: variants.map((variant, at) => ({ ...variant, arm: first_arm + at })),
    period: runs ? period + 1 : period,
    period_started_at: now,
    actor,
    operation: 'import',
  };
}
