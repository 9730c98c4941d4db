import { type TSchema, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Count, ListOf, ObjectOf, strict, Text } from '../../answer/schema-parts.ts';
import type { BodyKind } from '../../ingest/record-kinds.ts';
import { LIMITS } from '../../limits.ts';
import { REMOVALS } from '../../model/records/event-removal.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { INTERACTION } from '../../model/records/interaction.ts';
import { ITEM } from '../../model/records/item.ts';
import { LABEL } from '../../model/records/label.ts';
import { PREFERENCES, type Preferences } from '../../model/records/preferences.ts';
import { BLOCK, FOLLOW } from '../../model/records/relation.ts';
import { USER } from '../../model/records/user.ts';
import { ProblemSchema } from '../openapi/problem-schemas.ts';
import { named, namedObject } from '../openapi/schema.ts';

export const RECORD_SCHEMAS: Record<BodyKind, TSchema> = {
  items: named('ItemRecord', ITEM.schema),
  users: named('UserRecord', USER.schema),
  follows: either(named('FollowRecord', FOLLOW.schema), named('FollowRemoval', REMOVALS.follow.schema)),
  blocks: either(named('BlockRecord', BLOCK.schema), named('BlockRemoval', REMOVALS.block.schema)),
  labels: named('LabelRecord', LABEL.schema),
  interactions: either(
    named('InteractionRecord', INTERACTION.schema),
    named('InteractionRemoval', REMOVALS.interaction.schema),
  ),
};

/** A union of record schemas, with the example of the first. */
function either(...records: TSchema[]): TSchema {
  return Type.Union(records, { example: records[0].example });
}

const dry_run = Type.Optional(
  Type.Literal(true, { description: 'Present if nothing was stored: the request had `dry_run=true`.' }),
);

const counts = {
  accepted: Count('Number of records that are durable and in effect.', 1),
  rejected_count: Count('Number of rejected records.', 0),
  rejected: ListOf(
    'The first hundred rejected records.',
    ObjectOf('A rejected record.', {
      index: Count('Position of the record in the body, from 0.'),
      detail: Text('What is wrong with the record.'),
    }),
    LIMITS.rejections_listed_max,
  ),
  warnings: Type.Optional({
    ...WarningsSchema,
    description:
      'Values that were ignored or dropped, and records that are probably mistakes. At most a hundred. Absent if there are none.',
    example: ['embed_items: a link that is not an http(s) URL was dropped (first in record 3)'],
  }),
  dry_run,
};

export const IngestAnswerSchema = named(
  'IngestAnswer',
  strict(
    {
      status: Type.Literal('success', { description: 'At least one record was accepted, or none was sent.' }),
      ...counts,
    },
    'The number of accepted and rejected records.',
  ),
);

/** The error if no record was accepted: a problem with the same counts. */
export const IngestProblemSchema = namedObject(
  'IngestProblem',
  'No record was accepted. The counts are present if the records could be parsed.',
  {
    ...ProblemSchema.properties,
    accepted: Type.Optional(counts.accepted),
    rejected_count: Type.Optional(counts.rejected_count),
    rejected: Type.Optional(counts.rejected),
    warnings: counts.warnings,
    dry_run,
  },
);

export const MembersAnswerSchema = named(
  'ListAnswer',
  strict(
    {
      status: Type.Literal('success', { description: 'The list is durable and in effect.' }),
      added: Count('Number of users that were added to the list.', 2),
      removed: Count('Number of users that were removed from the list.', 1),
      warnings: counts.warnings,
      dry_run,
    },
    'How many users a list got and lost.',
  ),
);

/** What a viewer has set, also those who set nothing. */
export const PreferencesSchema = Type.Unsafe<Preferences>(
  namedObject(
    `Stored${PREFERENCES.schema.title}`,
    PREFERENCES.schema.description ?? '',
    PREFERENCES.schema.properties,
  ),
);

export const PreferencesAnswerSchema = named(
  'PreferencesAnswer',
  strict(
    {
      status: Type.Literal('success', { description: 'The preferences are durable and in effect.' }),
      preferences: PreferencesSchema,
      warnings: counts.warnings,
      dry_run,
    },
    'The complete preferences after a change.',
  ),
);

export const DoneSchema = named(
  'Done',
  strict(
    {
      status: Type.Literal('success', { description: 'The request was processed.' }),
      message: Text('What was done.', `item '${EXAMPLE_IDS.deleted_item}' deleted`),
      warnings: Type.Optional({
        ...WarningsSchema,
        description: 'Why there was nothing to delete, or why nothing was deleted. Absent if there are none.',
        example: [
          `item '${EXAMPLE_IDS.deleted_item}' has a version that is newer than this deletion: nothing was deleted`,
        ],
      }),
    },
    'What was done.',
  ),
);
