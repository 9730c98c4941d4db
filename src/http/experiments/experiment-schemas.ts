import { Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Count, Flag, ListOf, ObjectOf, OneOf, Seconds, Text } from '../../answer/schema-parts.ts';
import {
  CHANGED_EXPERIMENT,
  EXPERIMENT as FIELDS,
  METRICS_MEANING,
  NEW_EXPERIMENT,
} from '../../experiments/form.ts';
import { METRIC_NAMES } from '../../experiments/metrics.ts';
import { LIMITS } from '../../limits.ts';
import { namedObject } from '../openapi/schema.ts';

const MetricName = OneOf<string>(METRIC_NAMES, `A metric. ${METRICS_MEANING}`);

const EXPERIMENT = {
  experiment_id: Text('Id of the experiment. Ids are never reused.', 'exp_1'),
  ...Type.Required(NEW_EXPERIMENT.schema).properties,
  method: FIELDS.method.schema,
  variants: FIELDS.variants.schema,
  status: Type.Required(CHANGED_EXPERIMENT.schema).properties.status,
  pinned: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description:
        'While it runs: the revisions that are served, by the id of the feed. Later changes of the feeds have no effect on it until `repin`.',
      example: { feed_1: 7, feed_2: 3 },
    }),
  ),
  period: Type.Integer({
    minimum: 1,
    description: 'Number of the current period. `repin` begins a new one, with new results.',
  }),
  period_started_at: Seconds('Start of the period.'),
  revision: Type.Integer({ minimum: 1, description: 'Revision number. It grows with each change.' }),
  created_at: Seconds('Time of creation.'),
  updated_at: Seconds('Time of the last change.'),
};

const ExperimentSchema = namedObject('Experiment', 'An experiment.', EXPERIMENT);

const bound = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const RateSchema = namedObject('ExperimentRate', 'The value of a metric. Null: too little is known.', {
  metric: MetricName,
  value: bound('The value.'),
  ci_low: bound('Lower end of its 95 % confidence interval.'),
  ci_high: bound('Upper end.'),
});

const ComparisonSchema = namedObject(
  'ExperimentComparison',
  'How a variant differs from the control. Null: too little is known.',
  {
    metric: MetricName,
    variant: Text('The variant that is compared with the control.'),
    lift: bound(
      '0.05: the value is 5 % higher than that of the control. Of interleaved variants: the acts on items of the variant less those on items of the control, as a share of both: 0.1 if there are 55 and 45.',
    ),
    ci_low: bound('Lower end of an interval of the lift that is valid at all looks together.'),
    ci_high: bound('Upper end.'),
    p_value_sequential: bound('A p-value that is valid at every look.'),
    decided: Flag('Whether the difference is more than chance explains.'),
  },
);

const VariantResultSchema = namedObject('ExperimentVariantResult', 'What the viewers of a variant did.', {
  name: Text('The variant.'),
  viewers: Count(
    'Viewers with at least one item recorded as seen. Hidden users do not count. Interleaved variants have the same viewers and pages.',
  ),
  impressions: Count('Items recorded as seen. Of interleaved variants: those that the variant chose.'),
  pages: Count('Pages with items recorded as seen.'),
  short_pages: Count('Those of them that were shorter than requested.'),
  rates: ListOf('All metrics. Acts of interleaved variants count per page.', RateSchema),
  latency: Type.Optional(
    Type.Union(
      [
        ObjectOf('', {
          pages: Count('Pages built.'),
          mean_ms: Type.Number({ description: 'Mean time, ms.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Time to build pages at the node that answers, since it started. Null: it has built none. Absent for ended periods.',
      },
    ),
  ),
});

const ResultsSchema = namedObject('ExperimentResults', 'The results of a period.', {
  period: Type.Integer({ minimum: 1, description: 'Number of the period.' }),
  started_at: Seconds('Start of the period.'),
  ended_at: Type.Optional(Seconds('Its end. Absent while it lasts.')),
  metric: MetricName,
  guardrails: ListOf('Metrics that should not get worse.', MetricName),
  variants: ListOf('The variants, the control first.', VariantResultSchema),
  comparison: ListOf(
    'Each other variant in each metric. After other percents, only viewers who had their variants for the same time are compared.',
    ComparisonSchema,
  ),
  sample_ratio: Type.Union(
    [
      ObjectOf('', {
        p_value: bound('Probability of counts at least as uneven by chance.'),
        ok: Flag('False: the variants must not be compared.'),
      }),
      Type.Null(),
    ],
    {
      description:
        'Whether the variants have as many viewers as their percents say, at the times when these were in force. Null for interleaved variants, which share their viewers.',
    },
  ),
});

export const SavedExperimentSchema = namedObject('SavedExperimentAnswer', 'The experiment as it is now.', {
  message: Text('What was done.', "experiment 'exp_1' created"),
  data: ExperimentSchema,
  warnings: Type.Optional(WarningsSchema),
});

export const ExperimentListSchema = ObjectOf('Experiments.', {
  data: ListOf('The experiments of the account, newest first.', ExperimentSchema),
});

export const ExperimentResultSchema = ObjectOf('The experiment.', {
  data: namedObject('ExperimentWithResults', 'An experiment with its results.', {
    ...EXPERIMENT,
    results: ResultsSchema,
    ended_periods: ListOf(
      `Earlier periods, oldest first, at most ${LIMITS.experiment_periods_kept}.`,
      ResultsSchema,
    ),
  }),
});

export const NEW_EXPERIMENT_EXAMPLES = {
  halves: {
    summary: 'Two feeds, half of the viewers each',
    value: {
      name: 'Shorter half-life',
      feed_id: 'feed_1',
      variants: [
        { name: 'control', feed_id: 'feed_1', percent: 50 },
        { name: 'short', feed_id: 'feed_2', percent: 50 },
      ],
    },
  },
  interleaved: {
    summary: 'Items of two feeds on each page of all viewers',
    value: {
      name: 'Shorter half-life',
      feed_id: 'feed_2',
      method: 'interleaving',
      variants: [
        { name: 'control', feed_id: 'feed_2' },
        { name: 'short', feed_id: 'feed_1' },
      ],
    },
  },
};

export const CHANGED_EXPERIMENT_EXAMPLES = {
  grow: {
    summary: 'Give both variants more viewers',
    value: {
      variants: [
        { name: 'control', percent: 50 },
        { name: 'short', percent: 50 },
      ],
    },
  },
  repin: { summary: 'Take the current revisions of the feeds', value: { repin: true } },
  stop: { summary: 'Stop it', value: { status: 'stopped' } },
};
