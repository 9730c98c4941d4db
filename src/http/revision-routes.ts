import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { LIMITS } from '../limits.ts';
import type { FeedRevision } from '../store/feed-revisions.ts';
import { feedAnswer } from './config-routes.ts';
import type { Host } from './host.ts';
import { documented, type Parameter } from './openapi/operation.ts';
import { onceInQuery, wrongParameter } from './request-url.ts';
import { ETAG, ReadAnswerSchema, SavedAnswerSchema } from './schemas/feed-config.ts';
import { RevisionsSchema } from './schemas/feed-revisions.ts';
import { FeedProblemSchema } from './schemas/problem.ts';

const CONFIG_ID: Parameter = {
  name: 'config_id',
  in: 'query',
  description: 'Id of the feed.',
  schema: Type.String({ minLength: 1 }),
  required: true,
  example: 'feed_1',
};
const REVISION: Parameter = {
  name: 'revision',
  in: 'path',
  description: 'Number of the revision.',
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
};

/** Documentation that all routes share. */
const HISTORY = { tag: 'Feed configurations', key: 'config:write', problem: FeedProblemSchema } as const;
const DAYS = LIMITS.feed_restore_seconds / 86_400;

const DOCS = {
  list: documented({
    ...HISTORY,
    id: 'listFeedRevisions',
    summary: 'Revisions of a saved feed',
    description: `Lists when and by whom the feed was changed, newest first. Only the owner may read it. The latest ${LIMITS.feed_revisions_max} revisions of a feed are kept, and the former revisions of an account take at most ${LIMITS.feed_revisions_bytes_max / 1024 / 1024} MiB: the oldest are removed first. A deletion takes a number and has no entry.`,
    parameters: [CONFIG_ID],
    answers: { 200: { description: 'The revisions.', content: { schema: RevisionsSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  read: documented({
    ...HISTORY,
    id: 'readFeedRevision',
    summary: 'A saved feed as it was',
    description:
      'Returns the whole feed as of a revision. To bring it back, send its fields with `PATCH /api/feed/config`.',
    parameters: [REVISION, CONFIG_ID],
    answers: { 200: { description: 'The feed as of then.', content: { schema: ReadAnswerSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  restore: documented({
    ...HISTORY,
    id: 'restoreFeed',
    summary: 'Restore a deleted feed',
    description: `Undoes the deletion of a feed within ${DAYS} days. The feed keeps its id and is as it was before, with a new revision. If a plugin that it uses is no longer loaded, \`warnings\` says so. Restored feeds count against the quota.`,
    parameters: [CONFIG_ID],
    answers: {
      200: { description: 'The feed is restored.', content: { schema: SavedAnswerSchema }, headers: ETAG },
    },
    errors: ['invalid_value', 'not_found', 'quota_exceeded', 'store_unavailable'],
  }),
};

/** `/api/feed/config/revisions` and `/api/feed/config/restore`: what a saved feed was before. */
export function revisionRoutes(host: Host) {
  const enter = (request: Request) => {
    const { saved_feeds } = host.ready();
    const editor = host.authenticate(request, { scope: 'config:write' });
    return { saved_feeds, ...editor, config_id: onceInQuery(request, 'config_id') };
  };
  return new Elysia({ prefix: '/api/feed/config' })
    .get(
      '/revisions',
      async ({ request }) => {
        const { saved_feeds, config_id, account } = enter(request);
        return { data: (await saved_feeds.revisions(config_id, account)).map(entryOf) };
      },
      DOCS.list,
    )
    .get(
      '/revisions/:revision',
      async ({ request, params }) => {
        const { saved_feeds, config_id, account } = enter(request);
        return {
          data: feedAnswer(await saved_feeds.revision(config_id, account, revisionIn(params.revision))),
        };
      },
      DOCS.read,
    )
    .post(
      '/restore',
      async ({ request, set }) => {
        const { saved_feeds, config_id, ...editor } = enter(request);
        const { feed, warnings } = await saved_feeds.undelete(editor, config_id);
        set.headers.etag = `"${feed.revision}"`;
        const message = `feed '${feed.feed_id}' restored`;
        return { message, data: feedAnswer(feed), ...(warnings.length > 0 ? { warnings } : {}) };
      },
      { parse: 'none', ...DOCS.restore },
    );
}

function entryOf({ revision, at, actor, key_name }: FeedRevision): object {
  return { revision, at: Math.floor(at), actor, ...(key_name === null ? {} : { key_name }) };
}

/** @throws ServiceError `invalid_value` */
function revisionIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw wrongParameter('revision', 'must be an integer from 1 to 999999999');
}
