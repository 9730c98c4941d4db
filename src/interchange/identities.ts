import { relationOf } from '../ingest/relations.ts';
import type {
  BlockRecord,
  EngagementRecord,
  FollowRecord,
  InteractionRecord,
} from '../model/records/index.ts';

/** Identities of records. Of the records of one identity the last one counts. */

/** A follow or block between two users at a time. */
export function relationIdentity(record: FollowRecord | BlockRecord): string {
  const { user_id, target_user_id, timestamp } = record;
  return `${relationOf(record)} ${timestamp} ${user_id}\0${target_user_id}`;
}

/** The counts of an item at a time. */
export function countIdentity({ item_id, timestamp }: EngagementRecord): string {
  return `count ${timestamp} ${item_id}`;
}

export function actIdentity({
  user_id,
  item_id,
  event_type,
  event_id = '',
  timestamp,
}: InteractionRecord): string {
  return `act ${timestamp} ${event_type} ${user_id}\0${item_id}\0${event_id}`;
}
