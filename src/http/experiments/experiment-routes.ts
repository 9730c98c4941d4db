import { Type } from '@sinclair/typebox';
import { Text } from '../../answer/schema-parts.ts';
import type { Experiment } from '../../experiments/experiments.ts';
import { CHANGED_EXPERIMENT, NEW_EXPERIMENT } from '../../experiments/form.ts';
import { type Results, readResults, resultsOfPeriod } from '../../experiments/results.ts';
import { viewersCsv } from '../../experiments/viewers-csv.ts';
import { LIMITS } from '../../limits.ts';
import type { EndedPeriod } from '../../model/experiment-content.ts';
import { experimentId } from '../../model/experiment-id.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { DeletedSchema, ETAG } from '../configs/feed-config-schemas.ts';
import { described } from '../openapi/operation.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { named } from '../openapi/schema.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { anyObject, bodyOf, readBody, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { IF_MATCH, ifMatch } from '../transport/if-match.ts';
import { Streamed } from '../transport/streamed-answers.ts';
import { parameter } from '../transport/url-parameters.ts';
import {
  CHANGED_EXPERIMENT_EXAMPLES,
  ExperimentListSchema,
  ExperimentResultSchema,
  NEW_EXPERIMENT_EXAMPLES,
  SavedExperimentSchema,
} from './experiment-schemas.ts';

type Headers = Record<string, string | number>;

const CSV = 'text/csv;charset=utf-8';

const EXPERIMENTS = {
  tag: 'Experiments',
  admission: ADMISSIONS.configs,
  problem: FeedProblemSchema,
} as const;

const DOCS = {
  create: described({
    ...EXPERIMENTS,
    id: 'createExperiment',
    summary: 'Start an experiment',
    description: `Splits the viewers of a saved feed over variants, each a saved feed of the same type. Which variant a viewer gets depends only on their id and the experiment. Viewers without an id get the feed unchanged. A feed has at most one running experiment. An account has at most ${LIMITS.experiments_max} experiments, of which at most ${LIMITS.experiments_running_max} run at a time; of all accounts, ${LIMITS.experiments_running_in_all_max}.`,
    body: { description: 'The experiment.', examples: NEW_EXPERIMENT_EXAMPLES },
    errors: ['experiment_running', 'not_found', 'quota_exceeded', 'store_unavailable'],
  }),
  list: described({
    ...EXPERIMENTS,
    id: 'listExperiments',
    summary: 'List experiments',
    description: 'Lists the experiments of the account, newest first, without results.',
  }),
  read: described({
    ...EXPERIMENTS,
    id: 'readExperiment',
    summary: 'Read an experiment and its results',
    description:
      'The results count items recorded as seen (`impression_count`) and what viewers did with these items within the attribution window. They are the same on every node, except for `latency`. Results of 10,000 pages or more may be a minute old.',
    errors: ['invalid_value', 'not_found'],
  }),
  change: described({
    ...EXPERIMENTS,
    id: 'changeExperiment',
    summary: 'Change, stop or start an experiment',
    description:
      'Changes the name, the percents or the status. Other percents begin a new period, since viewers may get another variant, and so does starting a stopped experiment. The results of a period that has ended are stored and never change. A request that changes nothing is answered as usual and stores nothing, so the revision stays.',
    body: { description: 'What changes.', examples: CHANGED_EXPERIMENT_EXAMPLES },
    errors: ['experiment_running', 'not_found', 'quota_exceeded', 'revision_mismatch', 'store_unavailable'],
  }),
  remove: described({
    ...EXPERIMENTS,
    id: 'deleteExperiment',
    summary: 'Delete an experiment',
    description: 'Deletes the experiment and everything that was counted. Its id is never used again.',
    errors: ['invalid_value', 'not_found', 'revision_mismatch', 'store_unavailable'],
  }),
  viewers: described({
    ...EXPERIMENTS,
    id: 'listExperimentViewers',
    summary: 'The viewers of the current period',
    description:
      'Streams one line per viewer with a user record: the variant, items and pages recorded as seen, short pages, the first day, whether they returned on the next day, and counted acts by type. A last line has the number of all other viewers, and their sums. Erased and hidden users are left out. After the experiment was stopped there is only the header, because only totals are kept. If a period ends while its viewers are sent, the connection is closed before the end of the file.',
    errors: ['invalid_value', 'not_found'],
  }),
};

const PARAMS = Type.Object({ id: parameter(Text('Id of the experiment.', 'exp_1'), String) });

const CSV_SCHEMA = Type.String({
  description: 'A header and one line per viewer.',
  contentMediaType: 'text/csv',
});

function enter(host: Host, request: Request) {
  const { service, ...editor } = host.admitted(request);
  return { service, experiments: service.experiments, editor, account: editor.account };
}

/** `/api/experiments`. */
export function experimentRoutes(host: Host) {
  return keyedRoutes(host, '/api', ADMISSIONS.configs)
    .post(
      '/experiments',
      async ({ request, body, set }) => {
        const { experiments, editor, account } = enter(host, request);
        if (typeof body.feed_id === 'string') experiments.requireFree(body.feed_id, account);
        const { value, warnings } = readBody(objectOf(NEW_EXPERIMENT), body);
        const saved = await experiments.create(editor, value);
        set.status = 201;
        return answer('created', saved, warnings, set.headers);
      },
      {
        parse: 'bounded_config',
        body: anyObject(named('NewExperiment', NEW_EXPERIMENT.schema)),
        response: { 201: unchecked({ ...SavedExperimentSchema, headers: ETAG }) },
        detail: DOCS.create,
      },
    )
    .get(
      '/experiments',
      ({ request }) => {
        const { experiments, account } = enter(host, request);
        return { data: experiments.list(account).map(wireForm) };
      },
      { response: { 200: unchecked(ExperimentListSchema) }, detail: DOCS.list },
    )
    .use(oneExperimentRoutes(host));
}

/** `/api/experiments/<id>`. */
function oneExperimentRoutes(host: Host) {
  return keyedRoutes(host, '/experiments', ADMISSIONS.configs)
    .get(
      '/:id',
      async ({ request, params: { id }, set }) => {
        const { experiments, account } = enter(host, request);
        const { experiment, results } = await readResults(experiments, id, account);
        set.headers.etag = etag(experiment);
        return { data: withResults(experiment, results) };
      },
      {
        params: PARAMS,
        response: { 200: unchecked({ ...ExperimentResultSchema, headers: ETAG }) },
        detail: DOCS.read,
      },
    )
    .patch(
      '/:id',
      async ({ request, params: { id }, body: { value, warnings }, headers, set }) => {
        const { experiments, editor } = enter(host, request);
        const saved = await experiments.change(editor, id, value, ifMatch(headers));
        return answer('updated', saved, warnings, set.headers);
      },
      {
        parse: 'bounded_config',
        params: PARAMS,
        body: bodyOf(objectOf(CHANGED_EXPERIMENT)),
        headers: IF_MATCH,
        response: { 200: unchecked({ ...SavedExperimentSchema, headers: ETAG }) },
        detail: DOCS.change,
      },
    )
    .delete(
      '/:id',
      async ({ request, params: { id }, headers }) => {
        const { experiments, editor } = enter(host, request);
        await experiments.remove(editor, id, ifMatch(headers));
        return { message: `experiment '${id}' deleted` };
      },
      { params: PARAMS, headers: IF_MATCH, response: { 200: unchecked(DeletedSchema) }, detail: DOCS.remove },
    )
    .get(
      '/:id/viewers.csv',
      ({ request, params: { id } }) => {
        const { experiments, account } = enter(host, request);
        const { content } = experiments.read(id, account);
        return new Streamed(viewersCsv(experiments, content), CSV, new AbortController());
      },
      { params: PARAMS, response: { 200: unchecked(CSV_SCHEMA) }, detail: DOCS.viewers },
    );
}

function wireForm({ number, content }: Experiment): object {
  const { name, feed_id, variants, metric, attribution_hours, status, period, revision } = content;
  return {
    experiment_id: experimentId(number),
    name,
    feed_id,
    variants: variants.map(({ arm: _, ...variant }) => variant),
    metric,
    attribution_hours,
    status,
    period,
    period_started_at: Math.floor(content.period_started_at),
    revision,
    created_at: Math.floor(content.created_at),
    updated_at: Math.floor(content.updated_at),
  };
}

function withResults(experiment: Experiment, results: Results): object {
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

function etag({ content }: Experiment): string {
  return `"${content.revision}"`;
}

function answer(done: string, experiment: Experiment, warnings: readonly string[], headers: Headers): object {
  headers.etag = etag(experiment);
  const message = `experiment '${experimentId(experiment.number)}' ${done}`;
  return { message, data: wireForm(experiment), ...(warnings.length > 0 ? { warnings } : {}) };
}
