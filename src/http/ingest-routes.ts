import { Elysia } from 'elysia';
import type { RecordKind } from '../ingest/ingest.ts';
import { readRecords } from './body.ts';
import type { Host } from './host.ts';
import { ingestAnswer } from './ingest-answer.ts';
import { documented } from './openapi/operation.ts';
import { IngestAnswerSchema, IngestProblemSchema, ingestContents } from './schemas/ingest.ts';

const KINDS: readonly RecordKind[] = ['items', 'users', 'follows', 'blocks', 'interactions'];

const DOCS: Record<RecordKind, { id: string; summary: string; description: string }> = {
  items: {
    id: 'ingestItems',
    summary: 'Items, and changes of items',
    description: 'Fields given replace what is stored under the same `item_id`, others stay.',
  },
  users: {
    id: 'ingestUsers',
    summary: 'Users, and changes of users',
    description: 'Fields given replace what is stored under the same `user_id`, others stay.',
  },
  follows: {
    id: 'ingestFollows',
    summary: 'Who follows whom',
    description: 'The later timestamp decides; ties by arrival.',
  },
  blocks: {
    id: 'ingestBlocks',
    summary: 'Who blocks whom',
    description: "Neither side's items nor acts reach the other.",
  },
  interactions: {
    id: 'ingestInteractions',
    summary: 'What users do with items',
    description:
      'One like, share, bookmark, view, hide or report stands per user and item; the later timestamp decides. May arrive before the item. A comment with neither `event_id` nor `timestamp` is another one each time, also when the record is sent again.',
  },
};

const DURABLE =
  'Answered when every accepted record is durable and visible to the next request. Sending a record again changes nothing.';

function ingestDocs(kind: RecordKind) {
  return documented({
    ...DOCS[kind],
    description: `${DOCS[kind].description} ${DURABLE}`,
    tag: 'Ingest',
    key: 'ingest:write',
    body: {
      description: 'A record, an array of up to 10,000, or one record a line; at most 16 MiB.',
      required: true,
      content: ingestContents(kind),
    },
    answers: {
      200: { description: 'At least one was accepted.', content: { schema: IngestAnswerSchema } },
    },
    errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
    problem: IngestProblemSchema,
  });
}

/** Ingest of records under `/v2/<network>`. */
export function ingestRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}` });
  for (const kind of KINDS) {
    routes.post(
      `/${kind}`,
      async ({ request, set }) => {
        const service = host.ready();
        const { account } = host.authenticate(request, { scope: 'ingest:write' });
        const records = await readRecords(request, host.room(request));
        const ingest = () => service.ingest.ingest(kind, records);
        const result = await host.recordQuota().within(account, records.length, ingest);
        host.metrics.ingested('content', kind, result);
        return ingestAnswer(result, set);
      },
      {
        parse: 'none',
        ...ingestDocs(kind),
      },
    );
  }
  return routes;
}
