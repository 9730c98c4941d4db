/** Records of a connector that delete an item or erase a user. */

import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import * as type from '../values/values.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

const timestamp = optional(type.Time, 'Time of the deletion at its source. Absent: now.', 1764865269);

const ITEM_DELETION = recordType('ItemDeletion', 'Deletes an item.', {
  item_id: required(type.Identifier, 'The item.', EXAMPLE_IDS.deleted_item),
  timestamp,
});

const USER_DELETION = recordType('UserDeletion', 'Erases a user.', {
  user_id: required(type.Identifier, 'The user.', EXAMPLE_IDS.erased_user),
  timestamp,
  keep_items: optional(type.Flag, 'Whether their items stay, without an author.', false),
});

export type ItemDeletionRecord = RecordOf<typeof ITEM_DELETION>;
export type UserDeletionRecord = RecordOf<typeof USER_DELETION>;

export function parseItemDeletion(value: unknown): Parsed<ItemDeletionRecord> {
  return readRecord(value, ITEM_DELETION.shape);
}

export function parseUserDeletion(value: unknown): Parsed<UserDeletionRecord> {
  return readRecord(value, USER_DELETION.shape);
}
