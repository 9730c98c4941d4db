import type { BodyKind } from '../../ingest/record-kinds.ts';
import { INGEST } from '../identity/admissions.ts';
import { json } from '../transport/answers.ts';
import { recordsBody } from '../transport/body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { DRY_RUN, ingestWith } from './dry-run.ts';
import { ingestAnswer } from './ingest-answer.ts';
import { IngestAnswerSchema, IngestProblemSchema, RECORD_SCHEMAS } from './ingest-schemas.ts';

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
  labels: {
    id: 'ingestLabels',
    summary: 'Add or remove labels',
    description:
      'Labels that accounts put on items and users, for the filters `labeled` and `remove_labeled`. A label may arrive before its item or user. Of two messages about a label the later timestamp wins; with equal timestamps the last one to arrive wins.',
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

/** Routes that ingest records, under `/v2/community`. */
export const ingestRoutes = (Object.keys(DOCS) as BodyKind[]).map((kind) => {
  const { id, summary, description } = DOCS[kind];
  return route('POST', `${CONTENT_PATH}/${kind}`, {
    admit: INGEST,
    answered_by: 'leader',
    ...DRY_RUN,
    body: recordsBody(RECORD_SCHEMAS[kind], RECORD_SCHEMAS[kind].example),
    answer: json(IngestAnswerSchema),
    docs: {
      id,
      summary,
      description: `${description} ${DURABLE}`,
      tag: 'Ingest',
      errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
      problem: IngestProblemSchema,
    },
    async handle(context) {
      const { query, body: records } = context;
      const result = await ingestWith(context, kind, records.length, (into, account) =>
        into.ingest(kind, records, account),
      );
      return ingestAnswer(result, query.dry_run);
    },
  });
});
