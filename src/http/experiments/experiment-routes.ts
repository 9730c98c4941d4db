import { Type } from '@sinclair/typebox';
import { Text } from '../../answer/schema-parts.ts';
import type { Experiment } from '../../experiments/experiments.ts';
import { CHANGED_EXPERIMENT, NEW_EXPERIMENT, NewExperimentBody } from '../../experiments/form.ts';
import { type Results, readResults, resultsOfPeriod } from '../../experiments/results.ts';
import { viewersCsv } from '../../experiments/viewers-csv.ts';
import { LIMITS } from '../../limits.ts';
import type { EndedPeriod } from '../../model/experiment-content.ts';
import { experimentId } from '../../model/experiment-id.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { DeletedSchema } from '../configs/feed-config-schemas.ts';
import { CONFIGS, type Keyed } from '../identity/admissions.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { named } from '../openapi/schema.ts';
import { json, revised, streamed, warned } from '../transport/answers.ts';
import { bodyOf, checkedBody, checkedBy, objectIn } from '../transport/body.ts';
import { parameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';
import { Streamed } from '../transport/streamed-answers.ts';
import {
  CHANGED_EXPERIMENT_EXAMPLES,
  ExperimentListSchema,
  ExperimentResultSchema,
  NEW_EXPERIMENT_EXAMPLES,
  SavedExperimentSchema,
} from './experiment-schemas.ts';

const CSV = 'text/csv;charset=utf-8';

const DOCS = { tag: 'Experiments', problem: FeedProblemSchema } as const;

const PARAMS = { id: parameter(Text('Id of the experiment.', 'exp_1'), String) };

const CSV_SCHEMA = Type.String({
  description: 'A header and one line per viewer.',
  contentMediaType: 'text/csv',
});

const bytes_max = LIMITS.config_body_bytes_max;
const PATH = '/api/experiments';

/** `/api/experiments` and `/api/experiments/<id>`. */
export const experimentRoutes = [
  route('POST', PATH, {
    admit: CONFIGS,
    answered_by: 'leader',
    body: checkedBy(
      named('NewExperiment', NEW_EXPERIMENT.schema),
      { bytes_max, docs: { description: 'The experiment.', examples: NEW_EXPERIMENT_EXAMPLES } },
      (given, { service, principal: { account } }: Keyed) => {
        const { feed_id } = objectIn(given);
        if (typeof feed_id === 'string') service.experiments.requireFree(feed_id, account);
        return checkedBody(NewExperimentBody, given);
      },
    ),
    answer: revised(SavedExperimentSchema, 201),
    docs: {
      ...DOCS,
      id: 'createExperiment',
      summary: 'Start an experiment',
      description: `Splits the viewers of a saved feed over variants, each a saved feed of the same type, or interleaves two of them on each page (\`method\`). Which variant a viewer gets depends only on their id and the experiment. Viewers without an id get the feed unchanged. Variants serve the revisions that their feeds have now, until \`repin\` takes later ones. A feed has at most one running experiment. An account has at most ${LIMITS.experiments_max} experiments, of which at most ${LIMITS.experiments_running_max} run at a time; of all accounts, ${LIMITS.experiments_running_in_all_max}.`,
      errors: ['experiment_running', 'not_found', 'quota_exceeded', 'store_unavailable'],
    },
    async handle({ service, principal, body, warnings }) {
      return savedAnswer('created', await service.experiments.create(principal, body), warnings);
    },
  }),
  route('GET', PATH, {
    admit: CONFIGS,
    answered_by: 'current',
    answer: json(ExperimentListSchema),
    docs: {
      ...DOCS,
      id: 'listExperiments',
      summary: 'List experiments',
      description: 'Lists the experiments of the account, newest first, without results.',
    },
    handle: ({ service, principal: { account } }) => ({
      data: service.experiments.list(account).map(wireForm),
    }),
  }),
  route('GET', `${PATH}/:id`, {
    admit: CONFIGS,
    answered_by: 'current',
    params: PARAMS,
    answer: revised(ExperimentResultSchema),
    docs: {
      ...DOCS,
      id: 'readExperiment',
      summary: 'Read an experiment and its results',
      description:
        'The results count items recorded as seen (`impression_count`) and what viewers did with these items within the attribution window. They are the same on every node, except for `latency`. Results of 10,000 pages or more may be a minute old.',
      errors: ['not_found'],
    },
    async handle({ service, principal: { account }, params: { id } }) {
      const { experiment, results } = await readResults(service.experiments, id, account);
      return { data: withResults(experiment, results) };
    },
  }),
  route('PATCH', `${PATH}/:id`, {
    admit: CONFIGS,
    answered_by: 'leader',
    params: PARAMS,
    if_match: true,
    body: bodyOf(objectOf(CHANGED_EXPERIMENT), {
      bytes_max,
      docs: { description: 'What changes.', examples: CHANGED_EXPERIMENT_EXAMPLES },
    }),
    answer: revised(SavedExperimentSchema),
    docs: {
      ...DOCS,
      id: 'changeExperiment',
      summary: 'Change, stop or start an experiment',
      description:
        'Changes the name, the percents or the status. A variant whose percent grows takes only viewers who are in no variant, and one whose percent shrinks gives some back. `repin` takes the current revisions of the feeds and begins a new period, and so does starting a stopped experiment. The results of a period that has ended are stored and never change. A request that changes nothing is answered as usual and stores nothing, so the revision stays.',
      errors: ['experiment_running', 'not_found', 'quota_exceeded', 'revision_mismatch', 'store_unavailable'],
    },
    async handle({ service, principal, params: { id }, body, warnings, precondition }) {
      const saved = await service.experiments.change(principal, id, body, precondition);
      return savedAnswer('updated', saved, [...warnings, ...saved.warnings]);
    },
  }),
  route('DELETE', `${PATH}/:id`, {
    admit: CONFIGS,
    answered_by: 'leader',
    params: PARAMS,
    if_match: true,
    answer: json(DeletedSchema),
    docs: {
      ...DOCS,
      id: 'deleteExperiment',
      summary: 'Delete an experiment',
      description: 'Deletes the experiment and everything that was counted. Its id is never used again.',
      errors: ['not_found', 'revision_mismatch', 'store_unavailable'],
    },
    async handle({ service, principal, params: { id }, precondition }) {
      await service.experiments.remove(principal, id, precondition);
      return { message: `experiment '${id}' deleted` };
    },
  }),
  route('GET', `${PATH}/:id/viewers.csv`, {
    admit: CONFIGS,
    answered_by: 'current',
    params: PARAMS,
    answer: streamed(CSV_SCHEMA),
    docs: {
      ...DOCS,
      id: 'listExperimentViewers',
      summary: 'The viewers of the current period',
      description:
        'Streams one line per viewer with a user record: the variant, items and pages recorded as seen, short pages, the first day, whether they returned on the next day, and counted acts by type. A last line has the number of all other viewers, and their sums. Erased and hidden users are left out. After the experiment was stopped there is only the header, because only totals are kept. If a period ends while its viewers are sent, the connection is closed before the end of the file.',
      errors: ['not_found'],
    },
    handle({ service: { experiments }, principal: { account }, params: { id } }) {
      const { content } = experiments.read(id, account);
      return new Streamed(viewersCsv(experiments, content), CSV, new AbortController());
    },
  }),
];

function wireForm({ number, content }: Experiment) {
  const { name, feed_id, method, variants, metric, attribution_hours, status, pinned, period, revision } =
    content;
  return {
    experiment_id: experimentId(number),
    name,
    feed_id,
    method,
    variants: variants.map(({ name, feed_id, percent }) => ({ name, feed_id, percent })),
    metric,
    attribution_hours,
    status,
    ...(status === 'running' ? { pinned } : {}),
    period,
    period_started_at: Math.floor(content.period_started_at),
    revision,
    created_at: Math.floor(content.created_at),
    updated_at: Math.floor(content.updated_at),
  };
}

function withResults(experiment: Experiment, results: Results) {
  const { content } = experiment;
  const former = content.status === 'running' ? content.ended : content.ended.slice(0, -1);
  return {
    ...wireForm(experiment),
    results: inWholeSeconds(results),
    ended_periods: former.map((period: EndedPeriod) => inWholeSeconds(resultsOfPeriod(content, period))),
  };
}

function inWholeSeconds<T extends { started_at: number; ended_at?: number }>(results: T): T {
  const { started_at, ended_at } = results;
  const whole = { ...results, started_at: Math.floor(started_at) };
  return ended_at === undefined ? whole : { ...whole, ended_at: Math.floor(ended_at) };
}

function savedAnswer(done: string, experiment: Experiment, warnings: readonly string[]) {
  const message = `experiment '${experimentId(experiment.number)}' ${done}`;
  return { message, data: wireForm(experiment), ...warned(warnings) };
}
