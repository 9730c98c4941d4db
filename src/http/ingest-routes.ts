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
    summary: 'Create or change items',
    description: 'Fields in the record replace the stored fields of the same `item_id`; other fields stay.',
  },
  users: {
    id: 'ingestUsers',
    summary: 'Create or change users',
    description: 'Fields in the record replace the stored fields of the same `user_id`; other fields stay.',
  },
  follows: {
    id: 'ingestFollows',
    summary: 'Add or remove follows',
    description:
      'The record with the latest timestamp wins; with equal timestamps the last one to arrive wins.',
  },
  blocks: {
    id: 'ingestBlocks',
    summary: 'Add or remove blocks',
    description: 'Two users in a block do not get the items and acts of each other.',
  },
  interactions: {
    id: 'ingestInteractions',
    summary: 'Add or remove interactions',
    description:
      'A user has at most one like, share, bookmark, view, hide and report per item; the latest timestamp wins. An interaction may arrive before its item. A comment without `event_id` and `timestamp` is a new comment each time, even if the same record is sent again.',
  },
};

const DURABLE =
  'The answer is sent when every accepted record is durable and visible to the next request. Sending a record again changes nothing.';

function ingestDocs(kind: RecordKind) {
  return documented({
    ...DOCS[kind],
    description: `${DOCS[kind].description} ${DURABLE}`,
    tag: 'Ingest',
    key: 'ingest:write',
    body: {
      description: 'One record, an array of up to 10,000 records, or one record per line. At most 16 MiB.',
      required: true,
      content: ingestContents(kind),
    },
    answers: {
      200: { description: 'At least one record was accepted.', content: { schema: IngestAnswerSchema } },
    },
    errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
    problem: IngestProblemSchema,
  });
}

/** Routes that ingest records, under `/v2/<network>`. */
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
