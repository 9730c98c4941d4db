/** The whole list of a user's follows. */
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import { entriesOf, identifier } from './checks.ts';
import { type Parsed, readRecord, shapeOf } from './record.ts';
import { expected, type Refusal, refuse } from './refusal.ts';
import { seconds } from './time.ts';

export interface FollowListRecord {
  user_id: string;
  /** Without duplicates and without `user_id`. */
  target_user_ids: string[];
  /** seconds; absent for now */
  timestamp?: number;
}

const SHAPE = shapeOf<Omit<FollowListRecord, 'user_id'>>(
  { target_user_ids: identifiers, timestamp: seconds },
  ['target_user_ids'],
);

/** Parses the body of `PUT …/users/<user_id>/follows`. */
export function parseFollowList(user_id: string, value: unknown): Parsed<FollowListRecord> {
  const read = readRecord(value, SHAPE);
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

const SHAPE_WITH_USER = shapeOf<FollowListRecord>(
  { user_id: identifier, target_user_ids: identifiers, timestamp: seconds },
  ['user_id', 'target_user_ids'],
);

/** Parses a record of a connector, which names the user itself. */
export function parseFollowListRecord(value: unknown): Parsed<FollowListRecord> {
  const read = readRecord(value, SHAPE_WITH_USER);
  return read.ok ? withoutRepeats(read.record, read.warnings) : read;
}

/** Refuses lists that are too long. A cut list would unfollow the missing users. */
function identifiers(value: unknown): string[] | Refusal {
  if (!Array.isArray(value)) return expected('an array of user identifiers', value);
  const max = LIMITS.follow_list_length_max;
  if (value.length > max) {
    return refuse(`expected at most ${grouped(max)} user identifiers; got ${grouped(value.length)}`);
  }
  return entriesOf(value, identifier);
}
