import { Type } from '@sinclair/typebox';
import { invalidValue } from '../../errors.ts';
import type { SavedFeed } from '../../feeds/saved-feed.ts';
import type { Saved } from '../../feeds/saved-feeds.ts';
import { LIMITS } from '../../limits.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { json, revised, warned } from '../transport/answers.ts';
import { checkedBy, objectIn } from '../transport/body.ts';
import { flagParameter, parameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';
import {
  CHANGED_FEED_EXAMPLES,
  ChangedFeedSchema,
  CONFIG_DOCS,
  CONFIG_PATH,
  DeletedSchema,
  NEW_FEED_EXAMPLES,
  NewFeedSchema,
  ReadAnswerSchema,
  SavedAnswerSchema,
} from './feed-config-schemas.ts';

/** The parameter that names a feed. */
export function configIdParameter(missing: string, repeated?: string) {
  const schema = Type.String({ minLength: 1, description: 'Id of the feed.', example: 'feed_1' });
  return parameter(schema, String, missing, repeated);
}

const CONFIG_ID = configIdParameter('is required', 'must be given once');

const MERGE = flagParameter(
  'Merge the keys of `config` and of `config.filters` into the saved ones instead of replacing all of `config`. `null` removes a key. Without this parameter, `warnings` names the saved keys that the new `config` lacks.',
);

const bytes_max = LIMITS.config_body_bytes_max;

/** `/api/feed/config`: spec 4.2. The fields of a feed are checked when its account has its turn (`SavedFeeds`). */
export const configRoutes = [
  route('POST', CONFIG_PATH, {
    admit: CONFIGS,
    answered_by: 'leader',
    body: checkedBy(
      NewFeedSchema,
      { bytes_max, docs: { description: 'The feed.', examples: NEW_FEED_EXAMPLES } },
      (given) => ({ value: objectIn(given), warnings: [] }),
    ),
    answer: revised(SavedAnswerSchema, 201),
    docs: {
      ...CONFIG_DOCS,
      id: 'createFeed',
      summary: 'Save a feed',
      description:
        'The whole feed is checked, and every fault is listed with its path. Unknown fields are named in `warnings`. Filters and other parameters outside of `config` are refused with a hint to the right place. The service assigns the id.',
      errors: ['quota_exceeded', 'rkey_taken', 'store_unavailable'],
    },
    async handle({ service, principal, body }) {
      const saved = await service.saved_feeds.create(principal, body);
      return savedAnswer('created', saved, ignoredId(body, saved));
    },
  }),
  route('GET', CONFIG_PATH, {
    admit: CONFIGS,
    answered_by: 'current',
    query: { config_id: CONFIG_ID },
    answer: revised(ReadAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'readFeed',
      summary: 'Read a saved feed',
      description: 'Returns a feed of the account, or a feed of another account that is not private.',
      errors: ['not_found'],
    },
    handle: ({ service, principal: { account }, query: { config_id } }) => ({
      data: feedAnswer(service.saved_feeds.read(config_id, account)),
    }),
  }),
  route('PATCH', CONFIG_PATH, {
    admit: CONFIGS,
    answered_by: 'leader',
    query: { merge: MERGE },
    if_match: true,
    body: checkedBy(
      ChangedFeedSchema,
      { bytes_max, docs: { description: 'What changes.', examples: CHANGED_FEED_EXAMPLES } },
      (given) => {
        const fields = objectIn(given);
        return { value: { config_id: configId(fields.config_id), fields }, warnings: [] };
      },
    ),
    answer: revised(SavedAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'changeFeed',
      summary: 'Change a saved feed',
      description:
        'The change takes effect on the next feed request. Running experiments go on with the revision that they began with, and `warnings` names them. Only the owner may change a feed. The plugins and feeds that it refers to are checked again when `config` or `endpoint` changes; they may have been removed since.',
      errors: ['not_found', 'quota_exceeded', 'rkey_taken', 'revision_mismatch', 'store_unavailable'],
    },
    async handle({ service, principal, body: { config_id, fields }, query: { merge }, precondition }) {
      const saved = await service.saved_feeds.change(principal, config_id, fields, precondition, merge);
      return savedAnswer(
        'updated',
        saved,
        [],
        service.experiments.served.pinWarnings(saved.feed, principal.account),
      );
    },
  }),
  route('DELETE', CONFIG_PATH, {
    admit: CONFIGS,
    answered_by: 'leader',
    query: { config_id: CONFIG_ID },
    if_match: true,
    answer: json(DeletedSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'deleteFeed',
      summary: 'Delete a saved feed',
      description: 'Only the owner may delete a feed. Its id is never used again.',
      errors: ['not_found', 'revision_mismatch', 'store_unavailable'],
    },
    async handle({ service, principal, query: { config_id }, precondition }) {
      await service.saved_feeds.remove(principal, config_id, precondition);
      return { message: `feed '${config_id}' deleted` };
    },
  }),
];

/** A saved feed as clients see it, spec 2.1. */
export function feedAnswer({
  feed_id,
  object,
  revision,
  created_at,
  updated_at,
}: Pick<SavedFeed, 'feed_id' | 'object' | 'revision' | 'created_at' | 'updated_at'>) {
  return {
    config_id: feed_id,
    ...object,
    revision,
    created_at: Math.floor(created_at),
    updated_at: Math.floor(updated_at),
  };
}

/** The answer to a change of a feed. */
export function savedAnswer(
  done: string,
  { feed, warnings }: Saved,
  before: readonly string[] = [],
  after: readonly string[] = [],
) {
  const message = `feed '${feed.feed_id}' ${done}`;
  return { message, data: feedAnswer(feed), ...warned([...before, ...warnings, ...after]) };
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
