import { Type } from '@sinclair/typebox';
import { ListOf, ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { type DeletedFeedEntry, deletedFeedsOf } from '../../feeds/deleted-feeds.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedRevision } from '../../store/feed-revisions.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json, revised } from '../transport/answers.ts';
import { digitsWithin, integerParameter, parameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';
import { configIdParameter, feedAnswer, savedAnswer } from './config-routes.ts';
import { CONFIG_DOCS, CONFIG_PATH, ReadAnswerSchema, SavedAnswerSchema } from './feed-config-schemas.ts';

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
  data: ListOf('The kept revisions, newest first.', FeedRevisionSchema, LIMITS.feed_revisions_listed_max),
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
  data: ListOf(
    'The deleted feeds, the latest deletion first.',
    DeletedFeedSchema,
    LIMITS.deleted_feeds_listed_max,
  ),
});

const CONFIG_ID = configIdParameter('must be given once in the query');
const REVISION_MAX = 999_999_999;
const REVISION = parameter(
  Type.Integer({ minimum: 1, maximum: REVISION_MAX, description: 'Number of the revision.', example: 1 }),
  digitsWithin(1, REVISION_MAX),
);

const LISTING = {
  config_id: CONFIG_ID,
  limit: integerParameter(
    { min: 1, max: LIMITS.feed_revisions_listed_max, absent: LIMITS.feed_revisions_latest },
    'Maximum number of revisions.',
  ),
  offset: integerParameter(
    { min: 0, max: LIMITS.feed_revisions_bytes_max / LIMITS.feed_revision_bytes_min, absent: 0 },
    'Number of revisions to skip.',
  ),
};

const DAYS = LIMITS.feed_restore_seconds / 86_400;

/** `/api/feed/config/revisions` and `/api/feed/config/restore`: what a saved feed was before. */
export const revisionRoutes = [
  route('GET', `${CONFIG_PATH}/revisions`, {
    admit: CONFIGS,
    answered_by: 'current',
    query: LISTING,
    answer: json(RevisionsSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'listFeedRevisions',
      summary: 'Revisions of a saved feed',
      description: `Lists when and by whom the feed was changed, newest first. Only the owner may read it. The latest ${LIMITS.feed_revisions_latest} revisions of a feed are kept, and of earlier ones the last that each key made in a minute. The former revisions of an account take at most ${LIMITS.feed_revisions_bytes_max / 1024 / 1024} MiB, of which each takes at least ${LIMITS.feed_revision_bytes_min / 1024} KiB: the oldest are removed first. A deletion takes a number and has no entry.`,
      errors: ['not_found', 'store_unavailable'],
    },
    async handle({ service, principal: { account }, query: { config_id, limit, offset } }) {
      const revisions = await service.saved_feeds.revisions(config_id, account, limit, offset);
      return { data: revisions.map(entryOf) };
    },
  }),
  route('GET', `${CONFIG_PATH}/revisions/:revision`, {
    admit: CONFIGS,
    answered_by: 'current',
    params: { revision: REVISION },
    query: { config_id: CONFIG_ID },
    answer: json(ReadAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'readFeedRevision',
      summary: 'A saved feed as it was',
      description:
        'Returns the whole feed as of a revision. To bring it back, send its fields with `PATCH /api/feed/config`.',
      errors: ['not_found', 'store_unavailable'],
    },
    async handle({ service, principal: { account }, params: { revision }, query: { config_id } }) {
      return { data: feedAnswer(await service.saved_feeds.revision(config_id, account, revision)) };
    },
  }),
  route('GET', `${CONFIG_PATH}/deleted`, {
    admit: CONFIGS,
    answered_by: 'current',
    answer: json(DeletedFeedsSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'listDeletedFeeds',
      summary: 'Deleted feeds',
      description: `Lists the account's feeds that were deleted in the last ${DAYS} days and can be restored, the latest deletion first, at most ${LIMITS.deleted_feeds_listed_max}.`,
      errors: ['store_unavailable'],
    },
    async handle({ service: { store, clock }, principal: { account } }) {
      const deleted = await deletedFeedsOf(store.feeds, account, clock.now());
      return { data: deleted.map(deletedOf) };
    },
  }),
  route('POST', `${CONFIG_PATH}/restore`, {
    admit: CONFIGS,
    answered_by: 'leader',
    query: { config_id: CONFIG_ID },
    answer: revised(SavedAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'restoreFeed',
      summary: 'Restore a deleted feed',
      description: `Undoes the deletion of a feed within ${DAYS} days. The feed keeps its id and is as it was before, with a new revision. If a plugin that it uses is no longer loaded, \`warnings\` says so. Restored feeds count against the quota.`,
      errors: ['not_found', 'quota_exceeded', 'rkey_taken', 'store_unavailable'],
    },
    async handle({ service, principal, query: { config_id } }) {
      const saved = await service.saved_feeds.undelete(principal, config_id);
      return savedAnswer(
        'restored',
        saved,
        [],
        service.experiments.served.pinWarnings(saved.feed, principal.account),
      );
    },
  }),
];

function entryOf({ revision, at, actor, key_name }: FeedRevision) {
  return { revision, at: Math.floor(at), actor, ...(key_name === null ? {} : { key_name }) };
}

function deletedOf({ feed_id, revision, deleted_at, restorable_until, object }: DeletedFeedEntry) {
  return {
    config_id: feed_id,
    name: object.name,
    endpoint: object.endpoint,
    revision,
    deleted_at: Math.floor(deleted_at),
    restorable_until: Math.floor(restorable_until),
  };
}
