import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import {
  type EndedPeriod,
  type ExperimentContent,
  type ExperimentVariant,
  POINTS,
} from '../model/experiment-content.ts';
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
import {
  AttributionHours,
  EXPERIMENT,
  experimentFaults,
  Method,
  Metric,
  Name,
  Status,
  VARIANT,
  variantsOf,
} from './form.ts';
import { METRIC_NAMES } from './metrics.ts';
import { ofNewPeriod, withRanges } from './ranges.ts';
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

const Known = type.number(-Number.MAX_VALUE, Number.MAX_VALUE);
const Compared = objectOf(
  recordType('', '', {
    comparison: required(
      type.list(
        objectOf(
          recordType('', '', {
            ...{ metric: required(Metric), variant: required(Name), decided: required(type.Flag) },
            ...{ lift: omittable(Known), ci_low: omittable(Known), ci_high: omittable(Known) },
            p_value_sequential: omittable(Known),
          }),
        ),
        ...([0, METRIC_NAMES.length * LIMITS.experiment_variants_max, 'comparisons'] as const),
      ),
    ),
    sample_ratio: omittable(
      objectOf(recordType('', '', { p_value: omittable(Known), ok: required(type.Flag) })),
    ),
  }),
);

const EndedVariant = objectOf(recordType('', '', { ...VARIANT, totals: required(Totals) }));

const Ended = objectOf(
  recordType('', '', {
    period: required(Ordinal),
    started_at: required(type.Time),
    ended_at: required(type.Time),
    variants: required(type.list(EndedVariant, 2, LIMITS.experiment_variants_max, 'variants')),
    compared: omittable(Compared),
  }),
);

const Point = type.integer(0, POINTS);
const Range = objectOf(recordType('', '', { from: required(Point), to: required(Point) }));
/** Each change of the percents may add some to each variant. */
const RANGES_MAX = 10 * LIMITS.experiment_percent_changes_max;
const Variant = objectOf(
  recordType('', '', { ...VARIANT, ranges: omittable(type.list(Range, 0, RANGES_MAX, 'ranges')) }),
);

/** A line of `experiments.jsonl`. */
const LINE = recordType('', '', {
  experiment_id: required(ExperimentId),
  account: required(Name),
  ...EXPERIMENT,
  // Versions before had one method and no ranges.
  method: omittable(Method),
  variants: required(variantsOf(Variant, 'ExportedVariant')),
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
    const { account, name, feed_id, method, metric, attribution_hours, status, salt, period } = content;
    const { period_started_at: started_at, revision, created_at, updated_at } = content;
    const ended = [...content.ended];
    if (status === 'running')
      ended.push({
        period,
        started_at,
        ended_at: Math.max(started_at, data.now()),
        ...(await totalsOf(data, content)),
      });
    yield {
      ...{ experiment_id: experimentId(number), account, name, feed_id, method },
      ...{ metric: metric as ExperimentLine['metric'], attribution_hours, status, salt, period },
      variants: content.variants.map(({ name, feed_id, percent, ranges }) => ({
        ...{ name, feed_id, percent },
        ranges: ranges.map(({ from, to }) => ({ from, to })),
      })),
      ended: ended.slice(-LIMITS.experiment_periods_kept) as ExperimentLine['ended'],
      ...{ revision, created_at, updated_at },
    };
  }
}

/** Parses a line of `experiments.jsonl`. */
export function parseExperimentLine(value: unknown): Parsed<ExperimentLine> {
  const read = readRecord(value, LINE.shape);
  const faults = read.ok ? experimentFaults(read.record) : [];
  return faults.length > 0 ? { ok: false, faults } : read;
}

/**
 * The content of an imported experiment. A running one begins a new period, with the revisions that the feeds have here.
 * @param first_arm of its variants
 */
export function importedContent(
  line: ExperimentLine,
  now: number,
  actor: string,
  first_arm: number,
  pinned: Record<string, number>,
): ExperimentContent {
  const { experiment_id: _, variants: __, status, period, ended, method = 'split', ...rest } = line;
  const runs = status === 'running';
  return {
    ...{ ...rest, method, status, pinned },
    variants: importedVariants(line, first_arm),
    ended: ended.map(importedPeriod),
    period: runs ? period + 1 : period,
    period_started_at: now,
    percent_changes: 0,
    actor,
    operation: 'import',
  };
}

/** Files of versions before have no ranges: those of their percents. */
function importedVariants(
  { method = 'split', variants }: ExperimentLine,
  first_arm: number,
): ExperimentVariant[] {
  const known = variants.map(({ ranges = [], ...variant }, at) => ({
    ...{ ...variant, arm: first_arm + at, left: [] },
    ranges: ranges.map((range) => ({ ...range, cohort: '' })),
  }));
  if (variants.some(({ ranges }) => ranges !== undefined)) return ofNewPeriod(method, known);
  const percents = variants.map(({ percent }) => percent);
  return withRanges(method, known, percents, 0);
}

/** In a record, what is not known is absent. */
function importedPeriod({ compared, ...period }: ExperimentLine['ended'][number]): EndedPeriod {
  if (compared === undefined) return period;
  const { comparison, sample_ratio } = compared;
  return {
    ...period,
    compared: {
      comparison: comparison.map((each) => ({
        ...{ lift: null, ci_low: null, ci_high: null, p_value_sequential: null },
        ...each,
      })),
      sample_ratio: sample_ratio === undefined ? null : { p_value: null, ...sample_ratio },
    },
  };
}
