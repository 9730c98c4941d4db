import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { invalidValue } from '../../errors.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { parseFollowList } from '../../model/records/index.ts';
import { identifier } from '../../model/values/checks.ts';
import { Refusal } from '../../model/values/refusal.ts';
import {
  FOLLOW_LIST_EXAMPLES,
  FollowListAnswerSchema,
  FollowListBodySchema,
} from '../ingest/ingest-schemas.ts';
import { byQuery, described, type OperationDocs } from '../openapi/operation.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
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
  body: { description: 'Up to 100,000 users. At most 16 MiB.', examples: FOLLOW_LIST_EXAMPLES },
  errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
};

/** The list is checked with its user, so that faults name both as records do. */
const SCHEMAS = {
  parse: 'bounded_follow_list',
  body: unchecked(FollowListBodySchema),
  response: { 200: unchecked(FollowListAnswerSchema) },
} as const;

/** Routes that replace the whole follow list of a user, named in the path or in the query. */
export function followListRoutes(host: Host) {
  const put = async (request: Request, given_id: string, body: unknown): Promise<object> => {
    const { service, account } = host.admitted(request);
    const user_id = identifier(given_id);
    if (user_id instanceof Refusal) {
      throw invalidValue(user_id.faults.map(({ message }) => ({ path: '/user_id', message })));
    }
    const parsed = parseFollowList(user_id, body);
    if (!parsed.ok) throw invalidValue(parsed.faults);
    const { record, warnings } = parsed;
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
