/** The whole list of a user's follows. */
import { LIMITS } from '../../limits.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import * as type from '../values/values.ts';
import { actor } from './common-fields.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

export interface FollowListRecord {
  user_id: string;
  /** Without duplicates and without `user_id`. */
  target_user_ids: string[];
  /** seconds; absent for now */
  timestamp?: number;
}

/** A cut list would unfollow the missing users. */
const Users = type.list(type.Identifier, 0, LIMITS.follow_list_length_max, 'user identifiers');

const FIELDS = {
  target_user_ids: required(
    Users,
    'The followed users; each counts once, and the user itself is left out with a warning. Empty: the user follows no users.',
    [EXAMPLE_IDS.followed, EXAMPLE_IDS.other_viewer],
  ),
  timestamp: optional(
    type.Time,
    'Time of the list. Absent: now. Follows and unfollows with a later timestamp stay.',
    1764865269,
  ),
};

export const FOLLOW_LIST = recordType('FollowList', 'All follows of a user.', FIELDS);

/** The list of a user, in which each user counts once. Warnings are added to those about the fields. */
export function followListOf(
  user_id: string,
  { target_user_ids, timestamp }: RecordOf<typeof FOLLOW_LIST>,
  warnings: string[],
): FollowListRecord {
  const targets = new Set(target_user_ids);
  if (targets.delete(user_id)) warnings.push('target_user_ids: the user itself was left out');
  const record: FollowListRecord = { user_id, target_user_ids: [...targets] };
  if (timestamp !== undefined) record.timestamp = timestamp;
  return record;
}

const WITH_USER = recordType('FollowList', 'All follows of a user.', { user_id: actor, ...FIELDS });

/** Parses a record of a connector, which names the user itself. */
export function parseFollowListRecord(value: unknown): Parsed<FollowListRecord> {
  const read = readRecord(value, WITH_USER.shape);
  if (!read.ok) return read;
  const { user_id, ...list } = read.record;
  return { ...read, record: followListOf(user_id, list, read.warnings) };
}
