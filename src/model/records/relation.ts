/** Records of relations between users: follows and blocks. */

import { type Parsed, readRecord, refused } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { actor, when } from './common-fields.ts';
import { type EventRemoval, isEventRemoval, parseEventRemoval } from './event-removal.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

function relationType<const Word extends string, const Opposite extends string>(
  title: string,
  description: string,
  word: Word,
  opposite: Opposite,
) {
  return recordType(title, description, {
    user_id: actor,
    target_user_id: required(type.Identifier, 'Another user.', EXAMPLE_IDS.followed),
    timestamp: when,
    action: optional(type.word([word, opposite]), `Absent: ${word}.`, word),
    event_id: optional(
      type.Identifier,
      `Identifies the ${word} among those of \`user_id\`, so that it can be removed by this identifier alone.`,
      `at://did:plc:1/${word}/3k`,
    ),
  });
}

export const FOLLOW = relationType(
  'Follow',
  '`user_id` follows or unfollows `target_user_id`.',
  'follow',
  'unfollow',
);

export const BLOCK = relationType(
  'Block',
  '`user_id` blocks or unblocks `target_user_id`. A block hides the items of each user from the other.',
  'block',
  'unblock',
);

/** The fault of a user's relation to themselves. */
export const OTHER_USER = 'expected another user than user_id';

/** A record with its action. */
type Relation<Fields extends { action?: string }> = Fields & { action: NonNullable<Fields['action']> };

export type FollowRecord = Relation<RecordOf<typeof FOLLOW>>;
export type BlockRecord = Relation<RecordOf<typeof BLOCK>>;

/** Parses a record of `POST …/follows` or a row of `follows.csv`. */
export function parseFollow(value: unknown, options?: ReadOptions): Parsed<FollowRecord | EventRemoval> {
  if (isRemoval(value, 'follow')) return parseEventRemoval(value, 'follow', options);
  return withAction(readRecord(value, FOLLOW.shape, options), 'follow');
}

/** Parses a record of `POST …/blocks` or a row of `blocks.csv`. */
export function parseBlock(value: unknown, options?: ReadOptions): Parsed<BlockRecord | EventRemoval> {
  if (isRemoval(value, 'block')) return parseEventRemoval(value, 'block', options);
  return withAction(readRecord(value, BLOCK.shape, options), 'block');
}

function isRemoval(value: unknown, space: EventRemoval['space']): boolean {
  return isEventRemoval(value, space, ['target_user_id']);
}

function withAction<Fields extends { user_id: string; target_user_id: string; action?: string }>(
  read: Parsed<Fields>,
  absent: NonNullable<Fields['action']>,
): Parsed<Relation<Fields>> {
  if (!read.ok) return read;
  const { user_id, target_user_id, action = absent } = read.record;
  if (user_id === target_user_id) return refused('/target_user_id', OTHER_USER);
  return { ...read, record: Object.assign(read.record, { action }) };
}
