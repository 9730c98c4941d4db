/** Lists of users, and the records of networks from which such lists are made. */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Parsed, readRecord, refused } from '../values/record.ts';
import { objectOf, optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import * as type from '../values/values.ts';
import { actor } from './common-fields.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

const Members = type.list(type.Identifier, 0, LIMITS.user_list_length_max, 'user identifiers');
const ONCE = 'Each counts once. Unknown users become known.';
const name = optional(type.DisplayName, 'For people who choose a list.', 'Editors');

export const USER_LIST = recordType('UserList', 'A list of users.', {
  user_ids: required(Members, `The users. ${ONCE}`, [EXAMPLE_IDS.followed, EXAMPLE_IDS.other_viewer]),
  name,
});

/** A line of `lists.jsonl`. */
export const LIST_LINE = recordType('ListLine', 'A list of users.', {
  list_id: required(type.Identifier),
  user_ids: required(Members),
  name,
});

const LIST_CHANGES = recordType('UserListChanges', 'What changes of a list of users.', {
  add: optional(Members, `Users to add. ${ONCE}`, [EXAMPLE_IDS.actor]),
  remove: optional(Members, 'Users to remove.', [EXAMPLE_IDS.other_viewer]),
  name: { ...name, schema: { ...name.schema, description: 'Absent: it stays. Empty: none.' } },
});

/** The body of a change. No user is both added and removed. */
export const ListChanges = type.ruled(objectOf(LIST_CHANGES), ({ add = [], remove = [] }): Fault[] => {
  const added = new Set(add);
  const both = remove.findIndex((id) => added.has(id));
  return both < 0 ? [] : [{ path: `/remove/${both}`, message: 'is also in add; send it in one of them' }];
});

/** What becomes of a list: its whole content, or some changes. */
export interface ListEdit {
  list_id: string;
  /** Undefined: it stays. Empty: none. */
  name?: string;
  /** The whole list. Undefined: `add` and `remove` change it. */
  user_ids?: readonly string[];
  add?: readonly string[];
  remove?: readonly string[];
  is_deleted?: true;
}

const owner = { ...actor, schema: { ...actor.schema, description: 'Whose list it is.' } };
const timestamp = optional(type.Time, 'Time of the record. Absent: now.', 1764865269);
const action = optional(type.word(['add', 'remove']), 'Absent: add.', 'add');
const list_id = required(type.Identifier, 'Identifier of the list.', 'at://did:plc:1/list/3k');

const NETWORK_LIST = recordType('NetworkList', 'A list as its network describes it, or its deletion.', {
  ...{ user_id: owner, list_id, name, timestamp, action },
});

const LIST_MEMBER = recordType('ListMember', 'A record that puts a user on a list, or its deletion.', {
  ...{ user_id: owner, timestamp, action },
  event_id: required(type.Identifier, 'Identifies the record among those of `user_id`.', 'listitem/3k'),
  list_id: optional(type.Identifier, 'The list. May be absent in a deletion.', 'at://did:plc:1/list/3k'),
  target_user_id: optional(type.Identifier, 'The user. May be absent in a deletion.', EXAMPLE_IDS.followed),
});

export type NetworkListRecord = RecordOf<typeof NETWORK_LIST>;
export type ListMemberRecord = RecordOf<typeof LIST_MEMBER>;

export function parseNetworkList(value: unknown): Parsed<NetworkListRecord> {
  return readRecord(value, NETWORK_LIST.shape);
}

export function parseListMember(value: unknown): Parsed<ListMemberRecord> {
  const read = readRecord(value, LIST_MEMBER.shape);
  if (!read.ok || read.record.action === 'remove') return read;
  for (const field of ['list_id', 'target_user_id'] as const)
    if (read.record[field] === undefined) return refused(`/${field}`, 'is required');
  return read;
}
