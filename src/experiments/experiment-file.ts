import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { ExperimentContent } from '../model/experiment-content.ts';
import type { Parsed } from '../model/values/record.ts';
import { expected, Refusal } from '../model/values/refusal.ts';
import { EXPERIMENT_ID, experimentId, experimentNumber, IMPORTED_NUMBER_MAX } from './experiment-id.ts';
import { isName, percentFault } from './form.ts';
import { METRIC_NAMES } from './metrics.ts';
import { type CountedData, totalsOf } from './totals.ts';

const Count = Type.Integer({ minimum: 0 });
const Time = Type.Number({ minimum: 0, maximum: LIMITS.stored_seconds_max });
const Text = Type.String({ minLength: 1, maxLength: LIMITS.id_length_max });
const Sum = Type.Number({ minimum: 0 });

const SumsSchema = Type.Object({
  viewers: Count,
  sum: Sum,
  sum_squares: Sum,
  weight_sum: Type.Optional(Sum),
  weight_squares: Type.Optional(Sum),
  cross_sum: Type.Optional(Sum),
});

const VARIANT = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.experiment_name_length_max }),
  feed_id: Text,
  percent: Type.Number({ minimum: 0, maximum: 100 }),
};

const TotalsSchema = Type.Object({
  viewers: Count,
  impressions: Count,
  pages: Count,
  short_pages: Count,
  metrics: Type.Object(Object.fromEntries(METRIC_NAMES.map((name) => [name, SumsSchema]))),
});

const EndedSchema = Type.Object({
  period: Type.Integer({ minimum: 1 }),
  started_at: Time,
  ended_at: Time,
  variants: Type.Array(Type.Object({ ...VARIANT, totals: TotalsSchema }), {
    minItems: 2,
    maxItems: LIMITS.experiment_variants_max,
  }),
});

const LineSchema = Type.Object({
  experiment_id: Type.String({ pattern: EXPERIMENT_ID.source }),
  account: Text,
  name: Type.String({ minLength: 1, maxLength: LIMITS.experiment_name_length_max }),
  feed_id: Text,
  metric: Type.Union(METRIC_NAMES.map((name) => Type.Literal(name))),
  attribution_hours: Type.Integer({ minimum: 1, maximum: LIMITS.attribution_hours_max }),
  status: Type.Union([Type.Literal('running'), Type.Literal('stopped')]),
  salt: Text,
  variants: Type.Array(Type.Object(VARIANT), { minItems: 2, maxItems: LIMITS.experiment_variants_max }),
  period: Type.Integer({ minimum: 1 }),
  ended: Type.Array(EndedSchema, { maxItems: LIMITS.experiment_periods_kept }),
  revision: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});

export type ExperimentLine = Static<typeof LineSchema>;

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
  if (Value.Check(LineSchema, value)) {
    const faults = faultsOf(value).slice(0, LIMITS.faults_listed_max);
    return faults.length > 0 ? { ok: false, faults } : { ok: true, record: value, warnings: [] };
  }
  const faults: Fault[] = [];
  for (const { path, message } of Value.Errors(LineSchema, value)) {
    faults.push({ path, message: message[0].toLowerCase() + message.slice(1) });
    if (faults.length === LIMITS.faults_listed_max) break;
  }
  return { ok: false, faults };
}

/** Faults of a line that has the right form. */
function faultsOf({ experiment_id, account, name, salt, variants, ended }: ExperimentLine): Fault[] {
  const faults: Fault[] = [];
  const check = (path: string, checked: unknown) => {
    if (checked instanceof Refusal) for (const fault of checked.faults) faults.push({ ...fault, path });
  };
  if (experimentNumber(experiment_id) > IMPORTED_NUMBER_MAX)
    check('/experiment_id', expected(`an id from exp_1 to exp_${IMPORTED_NUMBER_MAX}`, experiment_id));
  const groups = [{ path: '', variants }, ...ended.map((each, at) => ({ ...each, path: `/ended/${at}` }))];
  for (const [path, text] of Object.entries({ account, name, salt })) check(`/${path}`, isName(text));
  for (const group of groups)
    for (const [at, variant] of group.variants.entries())
      check(`${group.path}/variants/${at}/name`, isName(variant.name));
  const fault = percentFault(variants.map(({ percent }) => percent));
  return fault === undefined ? faults : [...faults, fault];
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
