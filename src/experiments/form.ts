import { Type } from '@sinclair/typebox';
import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { ExperimentContent, ExperimentMethod } from '../model/experiment-content.ts';
import { IS_REQUIRED } from '../model/values/record.ts';
import {
  objectOf,
  omittable,
  type RecordOf,
  recordType,
  required,
  sent_back,
} from '../model/values/record-type.ts';
import { clip, expected, refuse } from '../model/values/refusal.ts';
import * as type from '../model/values/values.ts';
import { printable } from '../printable.ts';
import { CREDIT_METRICS, METRIC_NAMES, type MetricName } from './metrics.ts';

const { experiment_name_length_max, experiment_variants_max, attribution_hours_max } = LIMITS;
/** Sums of fractions may exceed 100 by a rounding error. */
const PERCENT_SUM_MAX = 100 + 1e-9;

/** A name for people. */
export const Name: type.ValueType<string> = {
  schema: Type.String({ minLength: 1, maxLength: experiment_name_length_max }),
  check: (value) => {
    const fits = typeof value === 'string' && value !== '' && value.length <= experiment_name_length_max;
    if (!fits) return expected(`1 to ${experiment_name_length_max} characters`, value);
    return printable(value) === value
      ? value
      : refuse('expected no line breaks and other control characters');
  },
};

export const METRICS_MEANING =
  '`interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer.';

export const VARIANT = {
  name: required(Name, 'Name, unique in the experiment, without control characters.', 'control'),
  feed_id: required(
    type.text(),
    'The saved feed that these viewers get. It may be the feed of the experiment itself.',
    'feed_1',
  ),
  percent: required(type.number(0, 100), 'Share of the viewers, percent.', 50),
};

const NEW_VARIANT = {
  ...VARIANT,
  percent: omittable(
    type.number(0, 100),
    'Share of the viewers, percent. Interleaved variants have the same one, or none for all viewers.',
    50,
  ),
};

const LENGTHS = [2, experiment_variants_max, 'variants, the control first'] as const;

export function variantsOf<T>(variant: type.ValueType<T>, $id: string): type.ValueType<T[]> {
  return type.list({ ...variant, schema: { ...variant.schema, $id } }, ...LENGTHS);
}

const Variants = variantsOf(
  objectOf(recordType('ExperimentVariant', 'A variant.', VARIANT)),
  'ExperimentVariant',
);
const NewVariants = variantsOf(
  objectOf(recordType('NewExperimentVariant', 'A variant.', NEW_VARIANT)),
  'NewExperimentVariant',
);

export const Method = type.word<ExperimentMethod>(['split', 'interleaving']);
const METHOD_MEANING =
  '`split`: each viewer gets one variant. `interleaving`: each page has items of both of two variants, and the acts on the items of each are compared, which needs far fewer viewers.';

const IDENTITY = {
  name: required(Name, 'Name for people, without control characters.', 'Shorter half-life'),
  feed_id: required(type.text(), 'The saved feed whose viewers are split.', 'feed_1'),
};

const VARIANTS_EXAMPLE = [
  { name: 'control', feed_id: 'feed_1', percent: 50 },
  { name: 'short', feed_id: 'feed_2', percent: 50 },
];
const VARIANTS_MEANING =
  'The variants, the control first. The percents sum to at most 100; all other viewers get the feed unchanged and are not counted.';

export const EXPERIMENT = {
  ...IDENTITY,
  method: required(Method, METHOD_MEANING, 'split'),
  variants: required(Variants, VARIANTS_MEANING, VARIANTS_EXAMPLE),
};

export const Metric = type.word(METRIC_NAMES);
export const AttributionHours = type.integer(1, attribution_hours_max);
export const Status = type.word(['running', 'stopped']);

export const NEW_EXPERIMENT = recordType('NewExperiment', 'A new experiment. It runs at once.', {
  ...IDENTITY,
  method: omittable(Method, `Default \`split\`. ${METHOD_MEANING}`, 'split'),
  variants: required(NewVariants, VARIANTS_MEANING, VARIANTS_EXAMPLE),
  metric: omittable(Metric, `The main metric. Default \`interactions\`. ${METRICS_MEANING}`, 'interactions'),
  attribution_hours: omittable(
    AttributionHours,
    `An act on an item counts if it comes within this time after the item was shown. Default ${LIMITS.attribution_hours_default}.`,
    LIMITS.attribution_hours_default,
  ),
});

export const NewExperimentBody = type.ruled(objectOf(NEW_EXPERIMENT), experimentFaults);

const { name, percent } = VARIANT;
const ChangedVariant = objectOf(recordType('', 'A variant.', { name, percent, feed_id: sent_back }));

export const CHANGED_EXPERIMENT = recordType('ChangedExperiment', 'What changes. Other fields stay.', {
  name: omittable(Name, 'Name for people, without control characters.', 'Shorter half-life'),
  status: omittable(
    Status,
    '`stopped`: all viewers get the feed unchanged, and the results no longer change.',
    'stopped',
  ),
  variants: omittable(
    type.list(ChangedVariant, 0, experiment_variants_max, 'variants'),
    'New percents by the name of the variant. Variants that are left out keep theirs.',
  ),
  repin: omittable(
    type.Flag,
    'True begins a new period with the current revisions of the feeds. Only while it runs.',
    true,
  ),
  ...{
    method: sent_back,
    pinned: sent_back,
    feed_id: sent_back,
    metric: sent_back,
    attribution_hours: sent_back,
  },
  ...{ experiment_id: sent_back, period: sent_back, period_started_at: sent_back, revision: sent_back },
  ...{ created_at: sent_back, updated_at: sent_back, results: sent_back, ended_periods: sent_back },
});

export const DEFAULT_METRIC: MetricName = 'interactions';

export type NewExperiment = RecordOf<typeof NEW_EXPERIMENT>;
export type ChangedExperiment = RecordOf<typeof CHANGED_EXPERIMENT>;

/** Fields that an experiment keeps. */
const FIXED = ['feed_id', 'method', 'metric', 'attribution_hours'] as const;
const FIXED_MESSAGE = 'cannot be changed; stop this experiment and create another one';

/** The faults of a change. Fields that cannot be changed may be sent as they are. */
export function changeFaults(given: ChangedExperiment, current: ExperimentContent): Fault[] {
  const fixed = FIXED.filter((field) => isOther(given[field], current[field]));
  const faults: Fault[] = fixed.map((field) => ({ path: `/${field}`, message: FIXED_MESSAGE }));
  const names = given.variants?.map((variant) => variant.name) ?? [];
  for (const [at, variant] of (given.variants ?? []).entries()) {
    const path = `/variants/${at}`;
    const known = current.variants.find((each) => each.name === variant.name);
    const allowed = current.variants.map((each) => each.name).join(', ');
    if (known === undefined) {
      const message = `expected one of ${allowed}; got '${clip(variant.name)}'`;
      faults.push({ path: `${path}/name`, message });
    } else if (isOther(variant.feed_id, known.feed_id)) {
      faults.push({ path: `${path}/feed_id`, message: FIXED_MESSAGE });
    }
    if (names.indexOf(variant.name) < at)
      faults.push({ path: `${path}/name`, message: `'${clip(variant.name)}' is given twice` });
  }
  return faults;
}

/** The faults of a change that depend on what the experiment is now. */
export function stateFaults(
  { repin, status }: ChangedExperiment,
  content: ExperimentContent,
  percents: readonly number[],
): Fault[] {
  const faults = percentFaults(content.method, percents).map((fault) => ({ ...fault, path: '/variants' }));
  if (repin && (content.status === 'stopped' || status === 'stopped')) {
    const message = 'only a running experiment can be repinned; one that starts takes the current revisions';
    faults.push({ path: '/repin', message });
  }
  return faults;
}

function isOther(sent: unknown, kept: unknown): boolean {
  return sent !== undefined && sent !== kept;
}

/** The faults of several fields together. */
export function experimentFaults({
  method = 'split',
  metric = DEFAULT_METRIC,
  variants,
}: Pick<NewExperiment, 'method' | 'metric' | 'variants'>): Fault[] {
  const under = (path: string) => (fault: Fault) => ({ ...fault, path: path + fault.path });
  const names = variants.map((variant) => variant.name);
  const repeated = names.flatMap((each, at) =>
    names.indexOf(each) < at
      ? [{ path: `/${at}/name`, message: `'${clip(each)}' is the name of another variant` }]
      : [],
  );
  const percents = percentFaults(
    method,
    variants.map((variant) => variant.percent),
  );
  const allowed = CREDIT_METRICS.join(', ');
  const of_metric =
    method === 'split' || CREDIT_METRICS.includes(metric)
      ? []
      : [
          {
            path: '/metric',
            message: `interleaving compares acts: expected one of ${allowed}; got '${metric}'`,
          },
        ];
  return [...[...repeated, ...percents].map(under('/variants')), ...of_metric];
}

/** The faults of the percents of a list of variants. Their paths are relative to the list. */
function percentFaults(method: ExperimentMethod, percents: readonly (number | undefined)[]): Fault[] {
  if (method === 'interleaving') return interleavedFaults(percents);
  const missing = percents.flatMap((each, at) =>
    each === undefined ? [{ path: `/${at}/percent`, message: IS_REQUIRED }] : [],
  );
  const sum = percents.reduce<number>((all, each = 0) => all + each, 0);
  if (sum <= PERCENT_SUM_MAX) return missing;
  return [...missing, { path: '', message: `the percents must sum to at most 100; got ${sum}` }];
}

function interleavedFaults(percents: readonly (number | undefined)[]): Fault[] {
  if (percents.length !== 2)
    return [{ path: '', message: `expected two variants to interleave; got ${percents.length}` }];
  const [one, other] = percents;
  if (one === other) return [];
  const shown = percents.map((percent) => percent ?? 'none').join(' and ');
  const message = `interleaved variants share their viewers, so they have the same percent, or none for all viewers; got ${shown}`;
  return [{ path: '', message }];
}
