import {
  type ActDeletionChange,
  type Change,
  type DeletionChange,
  EVENT_SPACES,
  type EventChange,
  type ItemContent,
  NONE,
  type Space,
  type TombstoneChange,
  type UserContent,
} from '../state/change.ts';
import { experimentChangeAt, impressionValues } from './experiment-rows.ts';
import { contentAt, keysAt, listOf, numberAt, numbersAt, type Rows, textAt } from './row-columns.ts';
import { type ColumnData, type Kind, type List, TABLE_OF, type Value } from './tables.ts';

export type { Rows };

/**
 * Converts changes to rows and back.
 *
 * Text from outside may contain what a database rejects: NUL on PostgreSQL, unpaired surrogates on both engines. Such
 * text is escaped here, so that one odd identifier cannot fail a whole batch. JSON text needs no escaping, because
 * `JSON.stringify` escapes both.
 */

const ESCAPE = '\u001a';
const CONTROLS = `[\0${ESCAPE}]`;
const SUSPECT = new RegExp(`${CONTROLS}|[\\ud800-\\udfff]`);
const UNSTORABLE = new RegExp(
  `${CONTROLS}|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`,
  'g',
);
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, 'g');

/** Stored for the absent time of a deletion that removes all acts. */
export const ALL_ACTS = NONE;

/** Escapes `text` so that both engines can store it. Most strings are returned unchanged. */
export function storableText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** The inverse of `storableText`. */
export function restoredText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const SEARCH_LENGTH_MAX = 100;

/** The form in which names of users are stored and searched: lower case, and not longer than an index allows. */
export function searchText(name: string): string {
  return storableText(name.slice(0, SEARCH_LENGTH_MAX).toLowerCase());
}

/** Copies bytes, because a database's buffer is not aligned and is reused. */
function copied(value: Value): ArrayBuffer {
  return (value as Uint8Array).slice().buffer as ArrayBuffer;
}

export function unpackedKeys(value: Value): Uint32Array {
  return new Uint32Array(copied(value));
}

export function unpackedNumbers(value: Value): Float64Array {
  return new Float64Array(copied(value));
}

function spaceCode(space: Space): number {
  return space === 'user' ? 0 : 1;
}

function spaceOf(code: number): Space {
  return code === 0 ? 'user' : 'item';
}

export function searchNames({ username = '', display_name = '' }: UserContent): [string, string] {
  return [searchText(username), searchText(display_name)];
}

/** One row: `seq`, `applied_at`, then the columns of its table in order. */
export type Row = readonly (Value | List)[];

/** Makes the row of `change` with this `seq`. */
export function rowOf(change: Change, seq: number): Row {
  const { applied_at } = change;
  switch (change.kind) {
    case 'name':
      return [seq, applied_at, spaceCode(change.space), change.key, storableText(change.id)];
    case 'item':
      return [seq, applied_at, change.item, change.author, JSON.stringify(change.content)];
    case 'user':
      return [seq, applied_at, change.user, JSON.stringify(change.content), ...searchNames(change.content)];
    case 'engagement':
      return [
        seq,
        applied_at,
        change.item,
        change.likes_count,
        change.comments_count,
        change.shares_count,
        change.updated_at,
      ];
    case 'interaction':
      return [
        seq,
        applied_at,
        change.user,
        change.item,
        change.event_type,
        change.action,
        change.timestamp,
        storableText(change.event_id),
      ];
    case 'follow':
      return [seq, applied_at, change.user, change.target, change.timestamp, change.action];
    case 'follow_list':
      return [seq, applied_at, change.user, change.timestamp, change.followed, change.unfollowed];
    case 'block':
      return [seq, applied_at, change.user, change.target, change.action, change.timestamp];
    case 'impression':
      return [seq, applied_at, ...impressionValues(change)];
    case 'deletion':
      return [seq, applied_at, change.item, change.author ?? NONE, change.acts_before ?? ALL_ACTS];
    case 'act_deletion': {
      const { user, item, event_type, timestamp = ALL_ACTS } = change;
      return [seq, applied_at, user, item, event_type, timestamp];
    }
    case 'erasure':
      return [seq, applied_at, change.user];
    case 'trend':
      return [seq, applied_at, change.numbers];
    case 'retirement':
      return [seq, applied_at, change.items];
    case 'event':
      return [seq, applied_at, ...eventValues(change)];
    case 'release':
      return [seq, applied_at, change.user, change.items];
    case 'experiment':
      return [seq, applied_at, change.experiment, JSON.stringify(change.content)];
    case 'outcome':
      return [seq, applied_at, change.user, change.arm, change.event_type, change.timestamp];
    case 'tombstone':
      return [
        seq,
        applied_at,
        spaceCode(change.space),
        change.low,
        change.high,
        change.deleted_at,
        change.versions_from,
      ];
  }
}

function eventValues(change: EventChange): Value[] {
  const { space, user, event_hash, target, item, event_type, action, timestamp, event_id } = change;
  const code = EVENT_SPACES.indexOf(space);
  return [code, user, event_hash, target, item, event_type, action, timestamp, storableText(event_id)];
}

/** A value of a numeric column. PostgreSQL returns large numbers as text. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number(value);
}

export type BoundValue = number | string | List;

export function valueAt(column: ColumnData, at: number): BoundValue {
  return 'ends' in column ? listOf(column, at) : column[at];
}

export function changeAt(kind: Kind, rows: Rows, at: number): Change {
  const seq = rows.seqs[at];
  const applied_at = rows.applied_at[at];
  switch (kind) {
    case 'name':
      return {
        kind,
        seq,
        applied_at,
        space: spaceOf(numberAt(rows, 0, at)),
        key: numberAt(rows, 1, at),
        id: restoredText(textAt(rows, 2, at)),
      };
    case 'item':
      return {
        kind,
        seq,
        applied_at,
        item: numberAt(rows, 0, at),
        author: numberAt(rows, 1, at),
        content: contentAt<ItemContent>(rows, 2, at),
      };
    case 'user':
      return {
        kind,
        seq,
        applied_at,
        user: numberAt(rows, 0, at),
        content: contentAt<UserContent>(rows, 1, at),
      };
    case 'interaction':
      return {
        kind,
        seq,
        applied_at,
        user: numberAt(rows, 0, at),
        item: numberAt(rows, 1, at),
        event_type: numberAt(rows, 2, at),
        action: numberAt(rows, 3, at),
        timestamp: numberAt(rows, 4, at),
        event_id: restoredText(textAt(rows, 5, at)),
      };
    case 'trend':
      return { kind, seq, applied_at, numbers: numbersAt(rows, 0, at) };
    case 'retirement':
      return { kind, seq, applied_at, items: keysAt(rows, 0, at) };
    case 'event':
      return {
        kind,
        seq,
        applied_at,
        space: EVENT_SPACES[numberAt(rows, 0, at)],
        user: numberAt(rows, 1, at),
        event_hash: numberAt(rows, 2, at),
        target: numberAt(rows, 3, at),
        item: numberAt(rows, 4, at),
        event_type: numberAt(rows, 5, at),
        action: numberAt(rows, 6, at),
        timestamp: numberAt(rows, 7, at),
        event_id: restoredText(textAt(rows, 8, at)),
      };
    case 'tombstone':
      return tombstoneAt(seq, applied_at, rows, at);
    case 'release':
      return { kind, seq, applied_at, user: numberAt(rows, 0, at), items: keysAt(rows, 1, at) };
    default:
      return plainChangeAt(kind, seq, applied_at, rows, at);
  }
}

function tombstoneAt(seq: number, applied_at: number, rows: Rows, at: number): TombstoneChange {
  return {
    kind: 'tombstone',
    seq,
    applied_at,
    space: spaceOf(numberAt(rows, 0, at)),
    low: numberAt(rows, 1, at),
    high: numberAt(rows, 2, at),
    deleted_at: numberAt(rows, 3, at),
    versions_from: numberAt(rows, 4, at),
  };
}

type PlainKind = Exclude<
  Kind,
  'name' | 'item' | 'user' | 'interaction' | 'trend' | 'retirement' | 'event' | 'tombstone' | 'release'
>;

function plainChangeAt(kind: PlainKind, seq: number, applied_at: number, rows: Rows, at: number): Change {
  const first = numberAt(rows, 0, at);
  switch (kind) {
    case 'engagement':
      return {
        kind,
        seq,
        applied_at,
        item: first,
        likes_count: numberAt(rows, 1, at),
        comments_count: numberAt(rows, 2, at),
        shares_count: numberAt(rows, 3, at),
        updated_at: numberAt(rows, 4, at),
      };
    case 'follow':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        target: numberAt(rows, 1, at),
        timestamp: numberAt(rows, 2, at),
        action: numberAt(rows, 3, at),
      };
    case 'follow_list':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        timestamp: numberAt(rows, 1, at),
        followed: keysAt(rows, 2, at),
        unfollowed: keysAt(rows, 3, at),
      };
    case 'block':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        target: numberAt(rows, 1, at),
        action: numberAt(rows, 2, at),
        timestamp: numberAt(rows, 3, at),
      };

    case 'deletion': {
      const deletion: DeletionChange = { kind, seq, applied_at, item: first };
      const [author, acts_before] = [numberAt(rows, 1, at), numberAt(rows, 2, at)];
      if (author !== NONE) deletion.author = author;
      if (acts_before !== ALL_ACTS) deletion.acts_before = acts_before;
      return deletion;
    }
    case 'act_deletion': {
      const [item, event_type, timestamp] = [1, 2, 3].map((column) => numberAt(rows, column, at));
      const all: ActDeletionChange = { kind, seq, applied_at, user: first, item, event_type };
      return timestamp === ALL_ACTS ? all : { ...all, timestamp };
    }
    case 'impression':
    case 'experiment':
    case 'outcome':
      return experimentChangeAt(kind, { seq, applied_at }, rows, at);
    case 'erasure':
      return { kind, seq, applied_at, user: first };
  }
}

/** The names of all columns of `kind`, `seq` first. */
export function columnNames(kind: Kind): string[] {
  return ['seq', 'applied_at', ...TABLE_OF[kind].columns.map((column) => column.name)];
}
