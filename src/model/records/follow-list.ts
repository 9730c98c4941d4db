/** The whole list of a user's follows. */
import { LIMITS } from '../../limits.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, recordType, required } from '../values/record-type.ts';
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

/** Parses the body of `PUT …/users/<user_id>/follows`. */
export function parseFollowList(user_id: string, value: unknown): Parsed<FollowListRecord> {
  const read = readRecord(value, FOLLOW_LIST.shape);
  if (!read.ok) return read;
  return withoutRepeats({ user_id, ...read.record }, read.warnings);
}

function withoutRepeats(
  { user_id, target_user_ids, timestamp }: FollowListRecord,
  read_warnings: readonly string[],
): Parsed<FollowListRecord> {
  const targets = new Set(target_user_ids);
  const warnings = [...read_warnings];
  if (targets.delete(user_id)) warnings.push('target_user_ids: the user itself was left out');
  const record: FollowListRecord = { user_id, target_user_ids: [...targets] };
  if (timestamp !== undefined) record.timestamp = timestamp;
  return { ok: true, record, warnings };
}

const WITH_USER = recordType('FollowList', 'All follows of a user.', { user_id: actor, ...FIELDS });

/** Parses a record of a connector, which names the user itself. */
export function parseFollowListRecord(value: unknown): Parsed<FollowListRecord> {
  const read = readRecord(value, WITH_USER.shape);
  return read.ok ? withoutRepeats(read.record, read.warnings) : read;
}
