import { Elysia } from 'elysia';
import type { BodyKind } from '../../ingest/ingest.ts';
import { described } from '../openapi/operation.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { ingestAnswer } from './ingest-answer.ts';
import {
  IngestAnswerSchema,
  IngestProblemSchema,
  RECORD_SCHEMAS,
  recordsBody,
  recordsOf,
} from './ingest-schemas.ts';

const DOCS: Record<BodyKind, { id: string; summary: string; description: string }> = {
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
    description:
      'Two users in a block do not get the items and acts of each other. The record with the latest timestamp wins; with equal timestamps the last one to arrive wins.',
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

/** Routes that ingest records, under `/v2/community`. Records are checked one by one, so that the others are kept. */
export function ingestRoutes(host: Host) {
  const routes = new Elysia({ prefix: CONTENT_PATH }).use(boundedBodies(host));
  for (const kind of Object.keys(DOCS) as BodyKind[]) {
    const { id, summary, description } = DOCS[kind];
    routes.post(
      `/${kind}`,
      async ({ request, body: records, set }) => {
        const { service, account } = host.admitted(request);
        const ingest = () => service.ingest.ingest(kind, records, account);
        const result = await host.recordQuota().within(account, records.length, ingest);
        host.metrics.ingested('content', kind, result);
        return ingestAnswer(result, set);
      },
      {
        parse: 'bounded_records',
        body: recordsOf(RECORD_SCHEMAS[kind]),
        response: { 200: unchecked(IngestAnswerSchema) },
        detail: described({
          id,
          summary,
          description: `${description} ${DURABLE}`,
          tag: 'Ingest',
          admission: ADMISSIONS.ingest,
          body: recordsBody(RECORD_SCHEMAS[kind].example),
          errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
          problem: IngestProblemSchema,
        }),
      },
    );
  }
  return routes;
}
