import { Type } from '@sinclair/typebox';
import { ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { type DeletedFeedEntry, deletedFeedsOf } from '../../feeds/deleted-feeds.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedRevision } from '../../store/feed-revisions.ts';
import { described } from '../openapi/operation.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { namedObject } from '../openapi/schema.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { digitsWithin, integerParameter, parameter, queryOf } from '../transport/url-parameters.ts';
import { feedAnswer } from './config-routes.ts';
import { ETAG, ReadAnswerSchema, SavedAnswerSchema } from './feed-config-schemas.ts';

const FeedRevisionSchema = namedObject('FeedRevision', 'A change of a feed.', {
  revision: Type.Integer({ minimum: 1, description: 'Revision of the feed after the change.', example: 7 }),
  at: Seconds('Time of the change.'),
  actor: Text(
    'Who made the change, as in the audit log: the id of a key, `FEEDLOOM_API_KEY`, or `cli:` and the operating system account that ran a command. `unknown` for a change from before revisions were kept.',
    'key_Zk2f0pXw9aQe',
  ),
  key_name: Type.Optional(Text('Name of that key. Absent if it has none.', 'console')),
});

const RevisionsSchema = ObjectOf('Revisions of a feed.', {
  data: Type.Array(FeedRevisionSchema, {
    maxItems: LIMITS.feed_revisions_listed_max,
    description: 'The kept revisions, newest first.',
  }),
});

const DeletedFeedSchema = namedObject('DeletedFeed', 'A feed that was deleted and can be restored.', {
  config_id: Text('Id of the feed.', 'feed_1'),
  name: Text('Its name.', 'Home'),
  endpoint: Text('Its feed type.', 'feeds/for-you'),
  revision: Type.Integer({ minimum: 1, description: 'Its last revision before the deletion.', example: 7 }),
  deleted_at: Seconds('Time of the deletion.'),
  restorable_until: Seconds('Until then it can be restored.'),
});

const DeletedFeedsSchema = ObjectOf('Deleted feeds.', {
  data: Type.Array(DeletedFeedSchema, {
    maxItems: LIMITS.deleted_feeds_listed_max,
    description: 'The deleted feeds, the latest deletion first.',
  }),
});

const CONFIG_ID = parameter<string>(
  Type.String({ minLength: 1, description: 'Id of the feed.', example: 'feed_1' }),
  String,
  'must be given once in the query',
);
const REVISION_MAX = 999_999_999;
const REVISION = parameter(
  Type.Integer({ minimum: 1, maximum: REVISION_MAX, description: 'Number of the revision.', example: 1 }),
  digitsWithin(1, REVISION_MAX),
);

const LISTING = queryOf({
  config_id: CONFIG_ID,
  limit: integerParameter(
    { min: 1, max: LIMITS.feed_revisions_listed_max, absent: LIMITS.feed_revisions_latest },
    'Maximum number of revisions.',
  ),
  offset: integerParameter(
    { min: 0, max: LIMITS.feed_revisions_bytes_max / LIMITS.feed_revision_bytes_min, absent: 0 },
    'Number of revisions to skip.',
  ),
});

const HISTORY = {
  tag: 'Feed configurations',
  admission: ADMISSIONS.configs,
  problem: FeedProblemSchema,
} as const;
const DAYS = LIMITS.feed_restore_seconds / 86_400;

const DOCS = {
  list: described({
    ...HISTORY,
    id: 'listFeedRevisions',
    summary: 'Revisions of a saved feed',
    description: `Lists when and by whom the feed was changed, newest first. Only the owner may read it. The latest ${LIMITS.feed_revisions_latest} revisions of a feed are kept, and of earlier ones the last that each key made in a minute. The former revisions of an account take at most ${LIMITS.feed_revisions_bytes_max / 1024 / 1024} MiB, of which each takes at least ${LIMITS.feed_revision_bytes_min / 1024} KiB: the oldest are removed first. A deletion takes a number and has no entry.`,
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  read: described({
    ...HISTORY,
    id: 'readFeedRevision',
    summary: 'A saved feed as it was',
    description:
      'Returns the whole feed as of a revision. To bring it back, send its fields with `PATCH /api/feed/config`.',
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  deleted: described({
    ...HISTORY,
    id: 'listDeletedFeeds',
    summary: 'Deleted feeds',
    description: `Lists the account's feeds that were deleted in the last ${DAYS} days and can be restored, the latest deletion first, at most ${LIMITS.deleted_feeds_listed_max}.`,
    errors: ['store_unavailable'],
  }),
  restore: described({
    ...HISTORY,
    id: 'restoreFeed',
    summary: 'Restore a deleted feed',
    description: `Undoes the deletion of a feed within ${DAYS} days. The feed keeps its id and is as it was before, with a new revision. If a plugin that it uses is no longer loaded, \`warnings\` says so. Restored feeds count against the quota.`,
    errors: ['invalid_value', 'not_found', 'quota_exceeded', 'rkey_taken', 'store_unavailable'],
  }),
};

/** `/api/feed/config/revisions` and `/api/feed/config/restore`: what a saved feed was before. */
export function revisionRoutes(host: Host) {
  const query = queryOf({ config_id: CONFIG_ID });
  return keyedRoutes(host, '/api/feed/config', ADMISSIONS.configs)
    .get(
      '/revisions',
      async ({ request, query: { config_id, limit, offset } }) => {
        const { service, account } = host.admitted(request);
        const revisions = await service.saved_feeds.revisions(config_id, account, limit, offset);
        return { data: revisions.map(entryOf) };
      },
      { query: LISTING, response: { 200: unchecked(RevisionsSchema) }, detail: DOCS.list },
    )
    .get(
      '/revisions/:revision',
      async ({ request, params: { revision }, query: { config_id } }) => {
        const { service, account } = host.admitted(request);
        return { data: feedAnswer(await service.saved_feeds.revision(config_id, account, revision)) };
      },
      {
        params: Type.Object({ revision: REVISION }),
        query,
        response: { 200: unchecked(ReadAnswerSchema) },
        detail: DOCS.read,
      },
    )
    .get(
      '/deleted',
      async ({ request }) => {
        const { service, account } = host.admitted(request);
        const deleted = await deletedFeedsOf(service.store.feeds, account, service.clock.now());
        return { data: deleted.map(deletedOf) };
      },
      { response: { 200: unchecked(DeletedFeedsSchema) }, detail: DOCS.deleted },
    )
    .post(
      '/restore',
      async ({ request, query: { config_id }, set }) => {
        const { service, ...editor } = host.admitted(request);
        const { feed, warnings } = await service.saved_feeds.undelete(editor, config_id);
        set.headers.etag = `"${feed.revision}"`;
        const message = `feed '${feed.feed_id}' restored`;
        return { message, data: feedAnswer(feed), ...(warnings.length > 0 ? { warnings } : {}) };
      },
      {
        parse: 'none',
        query,
        response: { 200: unchecked({ ...SavedAnswerSchema, headers: ETAG }) },
        detail: DOCS.restore,
      },
    );
}

function entryOf({ revision, at, actor, key_name }: FeedRevision): object {
  return { revision, at: Math.floor(at), actor, ...(key_name === null ? {} : { key_name }) };
}

function deletedOf({ feed_id, revision, deleted_at, restorable_until, object }: DeletedFeedEntry): object {
  const { name, endpoint } = object;
  return {
    ...{ config_id: feed_id, name, endpoint, revision },
    ...{ deleted_at: Math.floor(deleted_at), restorable_until: Math.floor(restorable_until) },
  };
}
