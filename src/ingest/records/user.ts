/** Records of users: a profile, or a change of one. */
import type { UserContent } from '../../model/contents.ts';
import {
  clearable,
  DISPLAY_NAME_LENGTH_MAX,
  flag,
  freeText,
  identifier,
  setOf,
  walletAddress,
} from './checks.ts';
import { link } from './link.ts';
import { metadata } from './metadata.ts';
import { type Parsed, readRecord, shapeOf } from './record.ts';
import type { ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';
import { geoLocation } from './vocabulary.ts';

export interface UserRecord {
  user_id: string;
  /** Only the given fields. One that is present with the value undefined removes the stored value. */
  content: Partial<UserContent>;
  /** Whether the version counts although the user was erased since. */
  revive?: boolean;
}

interface UserFields extends Partial<UserContent> {
  user_id: string;
  revive?: boolean;
}

const name = clearable(freeText(DISPLAY_NAME_LENGTH_MAX));

export const USER_SHAPE = shapeOf<UserFields>(
  {
    user_id: identifier,
    username: name,
    display_name: name,
    pfp_url: clearable(link),
    geo_location: clearable(geoLocation),
    wallet_addresses: setOf(walletAddress),
    created_at: seconds,
    hidden: flag,
    hidden_by_network: flag,
    hidden_by_network_at: seconds,
    metadata,
    updated_at: seconds,
    revive: flag,
  },
  ['user_id'],
);

/** Parses a record of `POST …/users` or a line of `users.jsonl`. */
export function parseUser(value: unknown, options?: ReadOptions): Parsed<UserRecord> {
  const read = readRecord(value, USER_SHAPE, options);
  if (!read.ok) return read;
  const { user_id, revive, ...content } = read.record;
  const record: UserRecord = { user_id, content };
  if (revive === true) record.revive = true;
  return { ok: true, record, warnings: read.warnings };
}
