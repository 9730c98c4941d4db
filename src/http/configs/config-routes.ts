import { Type } from '@sinclair/typebox';
import { invalidValue } from '../../errors.ts';
import type { SavedFeed } from '../../feeds/saved-feed.ts';
import type { Saved } from '../../feeds/saved-feeds.ts';
import { described } from '../openapi/operation.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { anyObject, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { IF_MATCH, ifMatch } from '../transport/if-match.ts';
import { flagParameter, parameter, queryOf } from '../transport/url-parameters.ts';
import {
  CHANGED_FEED_EXAMPLES,
  ChangedFeedSchema,
  DeletedSchema,
  ETAG,
  NEW_FEED_EXAMPLES,
  NewFeedSchema,
  ReadAnswerSchema,
  SavedAnswerSchema,
} from './feed-config-schemas.ts';

type Headers = Record<string, string | number>;

const CONFIG_ID = parameter(
  Type.String({ minLength: 1, description: 'Id of the feed.', example: 'feed_1' }),
  String,
  'is required',
  'must be given once',
);

const MERGE = flagParameter(
  'Merge the keys of `config` and of `config.filters` into the saved ones instead of replacing all of `config`. `null` removes a key. Without this parameter, `warnings` names the saved keys that the new `config` lacks.',
);

const CONFIGS = {
  tag: 'Feed configurations',
  admission: ADMISSIONS.configs,
  problem: FeedProblemSchema,
} as const;

const DOCS = {
  create: described({
    ...CONFIGS,
    id: 'createFeed',
    summary: 'Save a feed',
    description:
      'The whole feed is checked, and every fault is listed with its path. Unknown fields are named in `warnings`. Filters and other parameters outside of `config` are refused with a hint to the right place. The service assigns the id.',
    body: { description: 'The feed.', examples: NEW_FEED_EXAMPLES },
    errors: ['quota_exceeded', 'rkey_taken', 'store_unavailable'],
  }),
  read: described({
    ...CONFIGS,
    id: 'readFeed',
    summary: 'Read a saved feed',
    description: 'Returns a feed of the account, or a feed of another account that is not private.',
    errors: ['invalid_value', 'not_found'],
  }),
  change: described({
    ...CONFIGS,
    id: 'changeFeed',
    summary: 'Change a saved feed',
    description:
      'The change takes effect on the next feed request. Only the owner may change a feed. The plugins and feeds that it refers to are checked again when `config` or `endpoint` changes; they may have been removed since.',
    body: { description: 'What changes.', examples: CHANGED_FEED_EXAMPLES },
    errors: ['not_found', 'quota_exceeded', 'rkey_taken', 'revision_mismatch', 'store_unavailable'],
  }),
  remove: described({
    ...CONFIGS,
    id: 'deleteFeed',
    summary: 'Delete a saved feed',
    description: 'Only the owner may delete a feed. Its id is never used again.',
    errors: ['invalid_value', 'not_found', 'revision_mismatch', 'store_unavailable'],
  }),
};

/** `/api/feed/config` and `/api/feed/configs`: spec 4.2. */
export function configRoutes(host: Host) {
  const enter = (request: Request) => {
    const { service, ...editor } = host.admitted(request);
    return { saved_feeds: service.saved_feeds, ...editor };
  };
  return keyedRoutes(host, '/api/feed', ADMISSIONS.configs)
    .post(
      '/config',
      async ({ request, body, set }) => {
        const { saved_feeds, ...editor } = enter(request);
        const saved = await saved_feeds.create(editor, body);
        set.status = 201;
        return answer('created', saved, ignoredId(body, saved), set.headers);
      },
      {
        parse: 'bounded_config',
        body: anyObject(NewFeedSchema),
        response: { 201: unchecked({ ...SavedAnswerSchema, headers: ETAG }) },
        detail: DOCS.create,
      },
    )
    .get(
      '/config',
      ({ request, query: { config_id }, set }) => {
        const { saved_feeds, account } = enter(request);
        const feed = saved_feeds.read(config_id, account);
        set.headers.etag = etag(feed);
        return { data: feedAnswer(feed) };
      },
      {
        query: queryOf({ config_id: CONFIG_ID }),
        response: { 200: unchecked({ ...ReadAnswerSchema, headers: ETAG }) },
        detail: DOCS.read,
      },
    )
    .patch(
      '/config',
      async ({ request, body, query: { merge }, headers, set }) => {
        const { saved_feeds, ...editor } = enter(request);
        const config_id = configId(body.config_id);
        const saved = await saved_feeds.change(editor, config_id, body, ifMatch(headers), merge);
        return answer('updated', saved, [], set.headers);
      },
      {
        parse: 'bounded_config',
        body: anyObject(ChangedFeedSchema),
        query: queryOf({ merge: MERGE }),
        headers: IF_MATCH,
        response: { 200: unchecked({ ...SavedAnswerSchema, headers: ETAG }) },
        detail: DOCS.change,
      },
    )
    .delete(
      '/config',
      async ({ request, query: { config_id }, headers }) => {
        const { saved_feeds, ...editor } = enter(request);
        await saved_feeds.remove(editor, config_id, ifMatch(headers));
        return { message: `feed '${config_id}' deleted` };
      },
      {
        query: queryOf({ config_id: CONFIG_ID }),
        headers: IF_MATCH,
        response: { 200: unchecked(DeletedSchema) },
        detail: DOCS.remove,
      },
    );
}

/** A saved feed as clients see it, spec 2.1. */
export function feedAnswer({
  feed_id,
  object,
  revision,
  created_at,
  updated_at,
}: Pick<SavedFeed, 'feed_id' | 'object' | 'revision' | 'created_at' | 'updated_at'>): object {
  return {
    config_id: feed_id,
    ...object,
    revision,
    created_at: Math.floor(created_at),
    updated_at: Math.floor(updated_at),
  };
}

function etag({ revision }: SavedFeed): string {
  return `"${revision}"`;
}

function answer(done: string, { feed, warnings }: Saved, more_warnings: string[], headers: Headers): object {
  headers.etag = etag(feed);
  const all_warnings = [...more_warnings, ...warnings];
  const message = `feed '${feed.feed_id}' ${done}`;
  return { message, data: feedAnswer(feed), ...(all_warnings.length > 0 ? { warnings: all_warnings } : {}) };
}

/** A warning for an id that was sent with a new feed: the service assigns ids. */
function ignoredId({ config_id }: Record<string, unknown>, { feed }: Saved): string[] {
  if (config_id === undefined || config_id === null || config_id === '') return [];
  return [`config_id was ignored: the service gives the ids, this feed's is '${feed.feed_id}'`];
}

function configId(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  const missing = value === undefined || value === null || value === '';
  throw invalidValue([{ path: '/config_id', message: missing ? 'is required' : 'must be a string' }]);
}
