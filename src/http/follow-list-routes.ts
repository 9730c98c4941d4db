import { Elysia } from 'elysia';
import { invalidValue } from '../errors.ts';
import { identifier } from '../ingest/records/checks.ts';
import { parseFollowList } from '../ingest/records/index.ts';
import { Refusal } from '../ingest/records/refusal.ts';
import { Text } from '../ingest/records/schema-parts.ts';
import { readJson } from './body.ts';
import type { Host } from './host.ts';
import { BY_QUERY, documented } from './openapi/operation.ts';
import { inPath, onceInQuery } from './request-url.ts';
import { FollowListAnswerSchema, followListContents } from './schemas/ingest.ts';

/** Routes that replace the whole follow list of a user, named in the path or in the query. */
export function followListRoutes(host: Host, network: string) {
  const put = async (request: Request, userId: () => string): Promise<object> => {
    const service = host.ready();
    const { account } = host.authenticate(request, { scope: 'ingest:write' });
    const user_id = identifier(userId());
    if (user_id instanceof Refusal) {
      throw invalidValue(user_id.faults.map(({ message }) => ({ path: '/user_id', message })));
    }
    const body = await readJson(request, host.room(request));
    const parsed = parseFollowList(user_id, body);
    if (!parsed.ok) throw invalidValue(parsed.faults);
    const { record, warnings } = parsed;
    // Each user of the list counts as one record against the quota.
    const accepted = Math.max(1, record.target_user_ids.length);
    const ingest = async () => ({ ...(await service.ingest.followList(record)), accepted });
    const result = await host.recordQuota().within(account, accepted, ingest);
    host.metrics.ingested('content', 'follows', { accepted, rejected_count: 0 });
    const all = [...warnings, ...result.warnings];
    const { added, removed } = result;
    return { status: 'success', added, removed, ...(all.length > 0 ? { warnings: all } : {}) };
  };
  return new Elysia({ prefix: `/v2/${network}` })
    .put('/users/:id/follows', ({ request, params }) => put(request, () => inPath(request, params.id)), {
      parse: 'none',
      ...docs('path'),
    })
    .put('/users/follows', ({ request }) => put(request, () => onceInQuery(request, 'user_id')), {
      parse: 'none',
      ...docs('query'),
    });
}

function docs(place: 'path' | 'query') {
  const by_query = place === 'query';
  const description =
    'Replaces the list atomically: no page sees half of it. Follow records that are older than the list are ignored afterwards. Sending the same list again changes nothing. The answer is sent when the list is durable and visible to the next request.';
  return documented({
    tag: 'Ingest',
    id: by_query ? 'putFollowsByQuery' : 'putFollows',
    summary: 'Replace the follow list of a user',
    description: by_query ? `${description} ${BY_QUERY}` : description,
    key: 'ingest:write',
    parameters: [
      {
        name: by_query ? 'user_id' : 'id',
        in: place,
        description: 'Identifier of the user, percent-encoded.',
        schema: Text,
        required: true,
        example: '9152',
      },
    ],
    body: {
      description: 'Up to 100,000 users. At most 16 MiB.',
      required: true,
      content: followListContents(),
    },
    answers: {
      200: { description: 'The list is stored.', content: { schema: FollowListAnswerSchema } },
    },
    errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
  });
}
