/** The kinds of records that a batch may have: how each is parsed, what it builds on, and what it changes. */
import { type Fault, ServiceError } from '../errors.ts';
import type { Hiding } from '../model/hiding.ts';
import {
  type BlockRecord,
  type EventRemoval,
  type FollowListRecord,
  type FollowRecord,
  type InteractionRecord,
  type ItemDeletionRecord,
  type ItemRecord,
  type LabelRecord,
  parseAct,
  parseBlock,
  parseFollow,
  parseFollowListRecord,
  parseItem,
  parseItemDeletion,
  parseLabel,
  parseUser,
  parseUserDeletion,
  type UserDeletionRecord,
  type UserRecord,
} from '../model/records/index.ts';
import {
  type ListMemberRecord,
  type NetworkListRecord,
  parseListMember,
  parseNetworkList,
} from '../model/records/user-list.ts';
import type { Parsed } from '../model/values/record.ts';
import type { ConnectorRecordKind } from '../plugin/index.ts';
import type { Reads } from './context.ts';
import { addEvent, eventOf, isNamed, removeEvent } from './event-acts.ts';
import { addList, compareList, endComparison } from './follow-lists.ts';
import { atOnce } from './in-turns.ts';
import { addLabel } from './labels.ts';
import { addListMember, addNetworkList, eventsOfList, eventsOfMember } from './list-records.ts';
import { needsLanguage } from './merged-content.ts';
import type { Outcome } from './outcome.ts';
import { addInteraction, addRelation } from './prepare-acts.ts';
import { addItem, addUser } from './prepare-versions.ts';
import { datedAhead, warningsAbout } from './record-warnings.ts';
import { eraseUser, removeItem } from './removals.ts';
import type { WriteBatch } from './write-batch.ts';

export interface PreparedRecord {
  faults?: readonly Fault[];
  warnings?: readonly string[];
}

export interface RecordKind<R = unknown> {
  /** Whether records may be long, so that their lengths decide how many are prepared in one turn. */
  readonly is_long?: boolean;
  /** Whether all earlier changes must have been applied, because records are compared with the state alone. */
  readonly after_all?: true;
  parse(value: unknown): Parsed<R>;
  addReads(record: R, reads: Reads): void;
  /**
   * Adds the changes of a record, or none if the state and the queued changes know it already.
   * @throws ServiceError `state_full`, or one with the faults of the record, without any change
   */
  prepare(record: R, batch: WriteBatch): PreparedRecord;
}

export interface RecordEntry<R = unknown> {
  kind: RecordKind<R>;
  index: number;
  record: R;
  warnings: string[];
}

/** Acts of users, or their removals. */
type ActRecord = FollowRecord | BlockRecord | InteractionRecord | EventRemoval;

const item: RecordKind<ItemRecord> = {
  is_long: true,
  parse: (value) => parseItem(value),
  addReads(record, reads) {
    reads.items.push(record.item_id);
    reads.language ||= needsLanguage(record);
  },
  prepare(record, batch) {
    const { applied_at, context } = batch;
    const outdated = context.deletions.outdatedItem(record, applied_at);
    if (outdated !== undefined) return { warnings: [outdated] };
    const faults = addItem(record, batch);
    return { faults, warnings: datedAhead({ ...record.content, ...record.counters }, applied_at) };
  },
};

const user: RecordKind<UserRecord> = {
  is_long: true,
  parse: (value) => parseUser(value),
  addReads: ({ user_id }, { users }) => void users.push(user_id),
  prepare(record, batch) {
    const { applied_at, context, latest } = batch;
    const exists = latest.user(record.user_id) !== undefined;
    const outdated = context.deletions.outdatedUser(record, exists, applied_at);
    if (outdated !== undefined) return { warnings: [outdated] };
    addUser(record, batch);
    return { warnings: datedAhead(record.content, applied_at) };
  },
};

function kindOfAct(parse: (value: unknown) => Parsed<ActRecord>): RecordKind<ActRecord> {
  return {
    parse,
    addReads(record, { events }) {
      const event = eventOf(record);
      if (event !== undefined) events.push(event);
    },
    prepare(record, batch) {
      const { applied_at, context } = batch;
      const outdated = context.deletions.outdatedAct(record, applied_at);
      if (outdated !== undefined) return { warnings: [outdated] };
      const { faults = [], warnings = [] } = addActOf(record, batch);
      if (faults.length > 0) return { faults };
      const further = warningsAbout(record, context, applied_at);
      return { warnings: warnings.length === 0 ? further : [...warnings, ...further] };
    },
  };
}

function addActOf(record: ActRecord, batch: WriteBatch): PreparedRecord {
  if ('space' in record) return { warnings: removeEvent(record, batch) };
  if (isNamed(record)) return { warnings: addEvent(record, batch) };
  if ('item_id' in record) return { faults: addInteraction(record, batch) };
  addRelation(record, batch);
  return {};
}

const follow_list: RecordKind<FollowListRecord> = {
  parse: (value) => parseFollowListRecord(value),
  addReads() {},
  prepare(record, batch) {
    const comparison = atOnce(compareList(record, batch.applied_at, batch.context));
    // In one turn, nothing else is queued.
    endComparison(comparison, batch.context);
    return { warnings: addList(comparison, batch)?.warnings };
  },
};

const user_list: RecordKind<NetworkListRecord> = {
  after_all: true,
  parse: (value) => parseNetworkList(value),
  addReads: (record, { events }) => void events.push(...eventsOfList(record)),
  prepare: addNetworkList,
};

const list_member: RecordKind<ListMemberRecord> = {
  after_all: true,
  parse: (value) => parseListMember(value),
  addReads: (record, { events }) => void events.push(...eventsOfMember(record)),
  prepare: addListMember,
};

const label: RecordKind<LabelRecord> = {
  parse: (value) => parseLabel(value),
  addReads() {},
  prepare: addLabel,
};

const item_deletion: RecordKind<ItemDeletionRecord> = {
  parse: (value) => parseItemDeletion(value),
  addReads: ({ item_id }, { items }) => void items.push(item_id),
  prepare: (record, batch) => ({ warnings: removeItem(record.item_id, record, batch).warnings }),
};

const user_deletion: RecordKind<UserDeletionRecord> = {
  parse: (value) => parseUserDeletion(value),
  addReads({ user_id }, { users, erased }) {
    users.push(user_id);
    erased.push(user_id);
  },
  prepare: (record, batch) => ({ warnings: eraseUser(record.user_id, record, batch).warnings }),
};

/** The kinds of records that a body of one kind may have. */
export const BODY_KINDS = {
  items: item,
  users: user,
  follows: kindOfAct((value) => parseFollow(value)),
  blocks: kindOfAct((value) => parseBlock(value)),
  interactions: kindOfAct((value) => parseAct(value)),
  labels: label,
} as const satisfies Record<string, RecordKind>;

export type BodyKind = keyof typeof BODY_KINDS;

/** The kinds of records that a connector or a webhook may send. */
export const CONNECTOR_KINDS: Readonly<Record<ConnectorRecordKind, RecordKind>> = {
  item: { ...item, parse: (value) => ofNetwork(parseItem(value)) } as RecordKind,
  user: { ...user, parse: (value) => ofNetwork(parseUser(value)) } as RecordKind,
  follow: BODY_KINDS.follows,
  follow_list,
  block: BODY_KINDS.blocks,
  interaction: BODY_KINDS.interactions,
  user_list,
  list_member,
  label,
  item_deletion,
  user_deletion,
};

/** Takes `hidden` of a source for what the network says, so that it does not undo the decision of a moderator. */
export function ofNetwork<R extends { content: Hiding }>(parsed: Parsed<R>): Parsed<R> {
  if (!parsed.ok || parsed.record.content.hidden === undefined) return parsed;
  const { hidden, ...content } = parsed.record.content;
  return { ...parsed, record: { ...parsed.record, content: { ...content, hidden_by_network: hidden } } };
}

export function isFollowList(entry: RecordEntry): entry is RecordEntry<FollowListRecord> {
  return entry.kind === follow_list;
}

/**
 * Parses records, the first of which has index `offset`. Returns the valid ones and reports the others to `outcome`.
 */
export function parseAll<R>(
  kind: RecordKind<R>,
  records: readonly unknown[],
  offset: number,
  outcome: Outcome,
): RecordEntry<R>[] {
  const entries: RecordEntry<R>[] = [];
  for (let at = 0; at < records.length; at++) {
    const index = offset + at;
    const parsed = kind.parse(records[at]);
    if (parsed.ok) entries.push({ kind, index, record: parsed.record, warnings: parsed.warnings });
    else outcome.reject(index, parsed.faults);
  }
  return entries;
}

export function readsOf<R>(entries: readonly Pick<RecordEntry<R>, 'kind' | 'record'>[]): Reads {
  const reads: Reads = { items: [], users: [], events: [], erased: [], language: false };
  for (const { kind, record } of entries) kind.addReads(record, reads);
  return reads;
}

/** Adds the changes of records to a batch, in order, and reports the result of each to `outcome`. */
export function prepareAll(entries: readonly RecordEntry[], batch: WriteBatch, outcome: Outcome): void {
  for (const { kind, index, record, warnings } of entries) {
    const prepared = outcome.unlessFull(index, () => preparedBy(kind, record, batch));
    if (prepared === undefined) continue;
    const { faults, warnings: further } = prepared;
    if (faults !== undefined && faults.length > 0) outcome.reject(index, faults);
    else outcome.accept(index, warnings, further);
  }
}

/** Some faults of a record are only found when it is compared with the state. */
function preparedBy(kind: RecordKind, record: unknown, batch: WriteBatch): PreparedRecord {
  try {
    return kind.prepare(record, batch);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
    return { faults: error.errors };
  }
}
