import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { FOLLOW_LIST, followListOf } from '../../model/records/follow-list.ts';
import { objectOf, type RecordOf } from '../../model/values/record-type.ts';
import { FollowListAnswerSchema } from '../ingest/ingest-schemas.ts';
import { byQuery, described, type OperationDocs } from '../openapi/operation.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { type Body, bodyOf, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { identifierParameter, queryOf, strictParameters } from '../transport/url-parameters.ts';

const USER_ID = identifierParameter('user', EXAMPLE_IDS.actor);

const DOCS: OperationDocs = {
  tag: 'Ingest',
  id: 'putFollows',
  summary: 'Replace the follow list of a user',
  description:
    'Replaces the list atomically: no page sees half of it. Follow records that are older than the list are ignored afterwards. Sending the same list again changes nothing. The answer is sent when the list is durable and visible to the next request.',
  admission: ADMISSIONS.ingest,
  body: {
    description: 'Up to 100,000 users. At most 16 MiB.',
    examples: { list: { summary: 'A whole list', value: FOLLOW_LIST.schema.example } },
  },
  errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
};

type List = RecordOf<typeof FOLLOW_LIST>;

const SCHEMAS = {
  parse: 'bounded_follow_list',
  body: bodyOf(objectOf(FOLLOW_LIST)),
  response: { 200: unchecked(FollowListAnswerSchema) },
} as const;

/** Routes that replace the whole follow list of a user, named in the path or in the query. */
export function followListRoutes(host: Host) {
  const put = async (request: Request, user_id: string, { value, warnings }: Body<List>): Promise<object> => {
    const { service, account } = host.admitted(request);
    const record = followListOf(user_id, value, warnings);
    // Each user of the list counts as one record against the quota.
    const accepted = Math.max(1, record.target_user_ids.length);
    const ingest = async () => ({ ...(await service.ingest.followList(record, account)), accepted });
    const result = await host.recordQuota().within(account, accepted, ingest);
    host.metrics.ingested('content', 'follows', { accepted, rejected_count: 0 });
    const all = [...warnings, ...result.warnings];
    const { added, removed } = result;
    return { status: 'success', added, removed, ...(all.length > 0 ? { warnings: all } : {}) };
  };
  return new Elysia({ prefix: CONTENT_PATH })
    .use(boundedBodies(host))
    .onTransform(strictParameters)
    .put('/users/:id/follows', async ({ request, params: { id }, body }) => put(request, id, body), {
      ...SCHEMAS,
      params: Type.Object({ id: USER_ID }),
      detail: described(DOCS),
    })
    .put('/users/follows', async ({ request, query: { user_id }, body }) => put(request, user_id, body), {
      ...SCHEMAS,
      query: queryOf({ user_id: USER_ID }),
      detail: described(byQuery(DOCS)),
    });
}
