import { type TSchema, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import type { RecordKind } from '../../ingest/ingest.ts';
import {
  BlockRecordSchema,
  FollowListSchema,
  FollowRecordSchema,
  FollowRemovalSchema,
  InteractionRecordSchema,
  InteractionRemovalSchema,
  ItemRecordSchema,
  UserRecordSchema,
} from '../../ingest/records/schemas.ts';
import { LIMITS } from '../../limits.ts';
import type { Content } from '../openapi/operation.ts';
import { named } from '../openapi/schema.ts';
import { ProblemSchema } from './problem.ts';

const RECORD_SCHEMAS: Record<RecordKind, TSchema> = {
  items: named('ItemRecord', ItemRecordSchema),
  users: named('UserRecord', UserRecordSchema),
  follows: either(named('FollowRecord', FollowRecordSchema), named('FollowRemoval', FollowRemovalSchema)),
  blocks: named('BlockRecord', BlockRecordSchema),
  interactions: either(
    named('InteractionRecord', InteractionRecordSchema),
    named('InteractionRemoval', InteractionRemovalSchema),
  ),
};

/** With the example of the first. */
function either(...records: TSchema[]): TSchema {
  return Type.Union(records, { example: records[0].example });
}

/** The body of an ingest request: a record, an array of them, or one a line. */
export function ingestContents(kind: RecordKind): Content[] {
  const record = RECORD_SCHEMAS[kind];
  const value: unknown = record.example;
  return [
    {
      schema: Type.Union([
        record,
        Type.Array(record, { maxItems: LIMITS.ingest_records_max, description: 'Up to 10,000 records.' }),
      ]),
      examples: {
        one: { summary: 'One record', value },
        several: { summary: 'An array of records', value: [value] },
      },
    },
    {
      type: 'application/x-ndjson',
      schema: Type.String({ description: 'One record a line, as JSON.' }),
      examples: { lines: { summary: 'One record a line', value: `${JSON.stringify(value)}\n` } },
    },
  ];
}

/** The body of a whole list of follows. */
export function followListContents(): Content[] {
  const value: unknown = FollowListSchema.example;
  return [
    { schema: named('FollowList', FollowListSchema), examples: { list: { summary: 'A whole list', value } } },
  ];
}

const counts = {
  accepted: Type.Integer({ minimum: 0, description: 'Records that are durable and in effect.', example: 1 }),
  rejected_count: Type.Integer({ minimum: 0, description: 'Records that were refused.', example: 0 }),
  rejected: Type.Array(
    Type.Object(
      {
        index: Type.Integer({ minimum: 0, description: 'Position of the record in the body, from 0.' }),
        detail: Type.String({ description: 'What was wrong with it.' }),
      },
      { description: 'A record that was refused.' },
    ),
    { maxItems: LIMITS.rejections_listed_max, description: 'The first hundred that were refused.' },
  ),
  warnings: Type.Optional({
    ...WarningsSchema,
    description:
      'What was ignored or dropped, and records that may have been meant otherwise; the first hundred. Absent when there is nothing to say.',
    example: ['embed_items: a link that is not an http(s) URL was dropped (first in record 3)'],
  }),
};

export const IngestAnswerSchema = named(
  'IngestAnswer',
  Type.Object(
    {
      status: Type.Literal('success', { description: 'Something was accepted, or nothing was sent.' }),
      ...counts,
    },
    { description: 'What became of the records.', additionalProperties: false },
  ),
);

/** When nothing was accepted: a problem with the same counts. */
export const IngestProblemSchema = named(
  'IngestProblem',
  Type.Object(
    {
      ...ProblemSchema.properties,
      accepted: Type.Optional(counts.accepted),
      rejected_count: Type.Optional(counts.rejected_count),
      rejected: Type.Optional(counts.rejected),
      warnings: counts.warnings,
    },
    { description: 'Nothing was accepted; with counts when the records could be read at all.' },
  ),
);

const user_count = (example: number, description: string) =>
  Type.Integer({ minimum: 0, description, example });

export const FollowListAnswerSchema = named(
  'FollowListAnswer',
  Type.Object(
    {
      status: Type.Literal('success', { description: 'The list is durable and in effect.' }),
      added: user_count(2, 'Users whom the user did not follow before.'),
      removed: user_count(1, 'Users whom the user no longer follows.'),
      warnings: counts.warnings,
    },
    { description: 'What the list changed.', additionalProperties: false },
  ),
);

export const DoneSchema = named(
  'Done',
  Type.Object(
    {
      status: Type.Literal('success', { description: 'It is done.' }),
      message: Type.String({ description: 'What was done.', example: "item '0x07cb1f36' deleted" }),
      warnings: Type.Optional({
        ...WarningsSchema,
        description:
          'Why nothing was there to delete, or nothing was deleted. Absent when there is nothing to say.',
        example: ["item '0x07cb1f36' has a version that is newer than this deletion: nothing was deleted"],
      }),
    },
    { description: 'What was done.', additionalProperties: false },
  ),
);
