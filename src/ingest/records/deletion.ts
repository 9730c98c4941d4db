/** Records of a connector that delete an item or erase a user. */
import { flag, identifier } from './checks.ts';
import { type Parsed, readRecord, shapeOf } from './record.ts';
import { seconds } from './time.ts';

export interface ItemDeletionRecord {
  item_id: string;
  /** Time of the deletion at its source, in seconds; absent for now. */
  timestamp?: number;
}

export interface UserDeletionRecord {
  user_id: string;
  timestamp?: number;
  /** Whether their items stay, without an author. */
  keep_items?: boolean;
}

const ITEM_SHAPE = shapeOf<ItemDeletionRecord>({ item_id: identifier, timestamp: seconds }, ['item_id']);
const USER_SHAPE = shapeOf<UserDeletionRecord>(
  { user_id: identifier, timestamp: seconds, keep_items: flag },
  ['user_id'],
);

export function parseItemDeletion(value: unknown): Parsed<ItemDeletionRecord> {
  return readRecord(value, ITEM_SHAPE);
}

export function parseUserDeletion(value: unknown): Parsed<UserDeletionRecord> {
  return readRecord(value, USER_SHAPE);
}
