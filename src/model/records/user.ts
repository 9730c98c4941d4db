/** Records of users: a profile, or a change of one. */
import type { Hiding } from '../hiding.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { CLEARS, HIDDEN_BY_NETWORK, revive } from './common-fields.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

export interface UserRecord {
  user_id: string;
  /** Only the given fields. One that is present with the value undefined removes the stored value. */
  content: Partial<UserContent>;
  /** Whether the version counts although the user was erased since. */
  revive?: boolean;
  /** Its source sends versions in order: its message counts whatever its time. */
  in_order?: true;
}

export const USER = recordType(
  'User',
  'A user, or a change of one: given fields replace stored ones, others stay. `null` counts as not given.',
  {
    user_id: required(type.Identifier, 'Identifier of the user.', EXAMPLE_IDS.new_user),
    username: optional(type.DisplayName, `Short name. ${CLEARS}`, 'violet'),
    display_name: optional(type.DisplayName, `Name for display. ${CLEARS}`, 'Violet V.'),
    pfp_url: optional(type.Link, `URL of the profile picture. ${CLEARS}`, 'https://example.com/violet.png'),
    geo_location: optional(
      type.GeoLocation,
      `"<latitude>,<longitude>" in degrees. ${CLEARS}`,
      '34.05,-118.24',
    ),
    wallet_addresses: optional(type.Wallets, `Wallets of the user; compared in lower case.`, [
      '0x00000000000000000000000000000000000000aa',
    ]),
    created_at: optional(type.Time, 'When the user joined.', '2023-03-01T12:00:00Z'),
    hidden: optional(
      type.Flag,
      'true hides all items of the user from every feed and ignores the interactions of the user; false restores both.',
      false,
    ),
    ...HIDDEN_BY_NETWORK,
    metadata: optional(type.Metadata, 'Any object; readable by plugins.', { plan: 'pro' }),
    updated_at: optional(
      type.Time,
      'Time of this version. Absent: `created_at`. A version that is not newer than an erasure, or has no time, changes nothing.',
      1764865269,
    ),
    revive,
  },
);

/** The content of a user's profile, normalised. An absent field is unknown. Stored as JSON text. */
export interface UserContent extends Hiding, Omit<RecordOf<typeof USER>, 'user_id' | 'revive'> {}

/** Parses a record of `POST …/users` or a line of `users.jsonl`. */
export function parseUser(value: unknown, options?: ReadOptions): Parsed<UserRecord> {
  const read = readRecord(value, USER.shape, options);
  if (!read.ok) return read;
  const { user_id, revive, ...content } = read.record;
  const record: UserRecord = { user_id, content };
  if (revive === true) record.revive = true;
  if (options?.null_clears) record.in_order = true;
  return { ok: true, record, warnings: read.warnings };
}
