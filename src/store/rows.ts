import {
  type Change,
  type DeletionChange,
  EVENT_SPACES,
  NONE,
  type Space,
  type UserContent,
} from '../state/change.ts';
import { shownPageBytes, shownPageOf } from '../state/shown-page.ts';
import { type ColumnData, type Kind, type List, type ListColumn, TABLE_OF, type Value } from './tables.ts';

/** Rows of one table as columns. Index `at` of each column belongs to one row. */
export interface Rows {
  seqs: Float64Array<ArrayBuffer>;
  applied_at: Float64Array<ArrayBuffer>;
  /** The other columns of the table, in order. */
  columns: readonly ColumnData[];
}

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

/** Stored for a page that no experiment decided. */
export const NO_ARM = 0;

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

/** The bytes of a list, as they are stored. */
export function bytesOf({ buffer, byteOffset, byteLength }: List): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

export function unpackedKeys(value: Value): Uint32Array {
  return new Uint32Array(copied(value));
}

export function unpackedNumbers(value: Value): Float64Array {
  return new Float64Array(copied(value));
}

/** In the order of their codes. */
const SPACES: readonly Space[] = ['user', 'item'];

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
      return [seq, applied_at, SPACES.indexOf(change.space), change.key, storableText(change.id)];
    case 'item':
      return [seq, applied_at, change.item, change.author, JSON.stringify(change.content)];
    case 'user':
      return [seq, applied_at, change.user, JSON.stringify(change.content), ...searchNames(change.content)];
    case 'engagement': {
      const { item, likes_count, comments_count, shares_count, updated_at } = change;
      return [seq, applied_at, item, likes_count, comments_count, shares_count, updated_at];
    }
    case 'interaction': {
      const { user, item, event_type, action, timestamp, event_id } = change;
      return [seq, applied_at, user, item, event_type, action, timestamp, storableText(event_id)];
    }
    case 'follow':
      return [seq, applied_at, change.user, change.target, change.timestamp, change.action];
    case 'follow_list':
      return [seq, applied_at, change.user, change.timestamp, change.followed, change.unfollowed];
    case 'block':
      return [seq, applied_at, change.user, change.target, change.action, change.timestamp];
    case 'deletion':
      return [seq, applied_at, change.item, change.author ?? NONE, change.acts_before ?? ALL_ACTS];
    case 'act_deletion':
      return [seq, applied_at, change.user, change.item, change.event_type, change.timestamp ?? ALL_ACTS];
    case 'erasure':
      return [seq, applied_at, change.user, change.viewer];
    case 'trend':
      return [seq, applied_at, change.numbers];
    case 'retirement':
      return [seq, applied_at, change.items];
    case 'event': {
      const { user, event_hash, target, item, event_type, action, timestamp } = change;
      const [space, id] = [EVENT_SPACES.indexOf(change.space), storableText(change.event_id)];
      return [seq, applied_at, space, user, event_hash, target, item, event_type, action, timestamp, id];
    }
    case 'release':
      return [seq, applied_at, change.user, change.items];
    case 'experiment':
      return [seq, applied_at, change.experiment, JSON.stringify(change.content)];
    case 'outcome':
      return [
        seq,
        applied_at,
        change.arm,
        change.event_type,
        change.timestamp,
        Uint8Array.fromHex(change.viewer),
        change.item,
      ];
    case 'shown':
      return [seq, applied_at, change.viewer, change.halvings, shownPageBytes(change.page)];
    case 'shown_counts':
      return [seq, applied_at, change.is_first, change.items, change.counts, change.feed_days];
    case 'tombstone': {
      const { space, low, high, deleted_at, versions_from } = change;
      return [seq, applied_at, SPACES.indexOf(space), low, high, deleted_at, versions_from];
    }
  }
}

/** A value of a numeric column. PostgreSQL returns large numbers as text. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number(value);
}

export type BoundValue = number | string | List;

export function valueAt(column: ColumnData, at: number): BoundValue {
  return 'ends' in column ? listOf(column, at) : column[at];
}

/** Makes the change of a row. Written out for each kind, because a start makes millions of them. */
export function changeAt(kind: Kind, rows: Rows, at: number): Change {
  const { columns } = rows;
  const seq = rows.seqs[at];
  const applied_at = rows.applied_at[at];
  const n = columns as readonly Float64Array[];
  const texts = columns as readonly string[][];
  const lists = columns as readonly ListColumn[];
  switch (kind) {
    case 'name':
      return {
        kind,
        seq,
        applied_at,
        space: SPACES[n[0][at]],
        key: n[1][at],
        id: restoredText(texts[2][at]),
      };
    case 'item':
      return { kind, seq, applied_at, item: n[0][at], author: n[1][at], content: JSON.parse(texts[2][at]) };
    case 'user':
      return { kind, seq, applied_at, user: n[0][at], content: JSON.parse(texts[1][at]) };
    case 'engagement':
      return {
        kind,
        seq,
        applied_at,
        item: n[0][at],
        likes_count: n[1][at],
        comments_count: n[2][at],
        shares_count: n[3][at],
        updated_at: n[4][at],
      };
    case 'interaction':
      return {
        kind,
        seq,
        applied_at,
        user: n[0][at],
        item: n[1][at],
        event_type: n[2][at],
        action: n[3][at],
        timestamp: n[4][at],
        event_id: restoredText(texts[5][at]),
      };
    case 'follow': {
      const [user, target, timestamp, action] = [n[0][at], n[1][at], n[2][at], n[3][at]];
      return { kind, seq, applied_at, user, target, timestamp, action };
    }
    case 'follow_list': {
      const [followed, unfollowed] = [keysOf(lists[2], at), keysOf(lists[3], at)];
      return { kind, seq, applied_at, user: n[0][at], timestamp: n[1][at], followed, unfollowed };
    }
    case 'block': {
      const [user, target, action, timestamp] = [n[0][at], n[1][at], n[2][at], n[3][at]];
      return { kind, seq, applied_at, user, target, timestamp, action };
    }
    default:
      return otherChangeAt(kind, rows, at);
  }
}

type OtherKind = Exclude<Kind, 'name' | 'item' | 'user' | 'engagement' | 'interaction' | Relation>;
type Relation = 'follow' | 'follow_list' | 'block';

function otherChangeAt(kind: OtherKind, rows: Rows, at: number): Change {
  const { columns } = rows;
  const seq = rows.seqs[at];
  const applied_at = rows.applied_at[at];
  const n = columns as readonly Float64Array[];
  const texts = columns as readonly string[][];
  const lists = columns as readonly ListColumn[];
  switch (kind) {
    case 'deletion': {
      const deletion: DeletionChange = { kind, seq, applied_at, item: n[0][at] };
      if (n[1][at] !== NONE) deletion.author = n[1][at];
      if (n[2][at] !== ALL_ACTS) deletion.acts_before = n[2][at];
      return deletion;
    }
    case 'act_deletion': {
      const [user, item, event_type, timestamp] = [n[0][at], n[1][at], n[2][at], n[3][at]];
      const all = { kind, seq, applied_at, user, item, event_type } as const;
      return timestamp === ALL_ACTS ? all : { ...all, timestamp };
    }
    case 'erasure':
      return { kind, seq, applied_at, user: n[0][at], viewer: texts[1][at] };
    case 'trend':
      return { kind, seq, applied_at, numbers: listOf(lists[0], at) as Float64Array };
    case 'retirement':
      return { kind, seq, applied_at, items: keysOf(lists[0], at) };
    case 'event':
      return {
        kind,
        seq,
        applied_at,
        space: EVENT_SPACES[n[0][at]],
        user: n[1][at],
        event_hash: n[2][at],
        target: n[3][at],
        item: n[4][at],
        event_type: n[5][at],
        action: n[6][at],
        timestamp: n[7][at],
        event_id: restoredText(texts[8][at]),
      };
    case 'tombstone': {
      const [space, low, high] = [SPACES[n[0][at]], n[1][at], n[2][at]];
      return { kind, seq, applied_at, space, low, high, deleted_at: n[3][at], versions_from: n[4][at] };
    }
    case 'shown': {
      const page = shownPageOf(listOf(lists[2], at) as Uint8Array);
      return { kind, seq, applied_at, viewer: texts[0][at], halvings: n[1][at], page };
    }
    case 'shown_counts': {
      const [items, counts] = [keysOf(lists[1], at), keysOf(lists[2], at)];
      const feed_days = listOf(lists[3], at) as Float64Array;
      return { kind, seq, applied_at, is_first: n[0][at], items, counts, feed_days };
    }
    case 'release':
      return { kind, seq, applied_at, user: n[0][at], items: keysOf(lists[1], at) };
    case 'experiment':
      return { kind, seq, applied_at, experiment: n[0][at], content: JSON.parse(texts[1][at]) };
    case 'outcome': {
      const [arm, event_type, timestamp, item] = [n[0][at], n[1][at], n[2][at], n[4][at]];
      const viewer = (listOf(lists[3], at) as Uint8Array).toHex();
      return { kind, seq, applied_at, viewer, arm, item, event_type, timestamp };
    }
  }
}

/** The list of row `at`, copied so that it does not keep the whole column in memory. */
function listOf({ values, ends }: ListColumn, at: number): List {
  return values.slice(at === 0 ? 0 : ends[at - 1], ends[at]);
}

function keysOf(column: ListColumn, at: number): Uint32Array {
  return listOf(column, at) as Uint32Array;
}

/** The names of all columns of `kind`, `seq` first. */
export function columnNames(kind: Kind): string[] {
  return ['seq', 'applied_at', ...TABLE_OF[kind].columns.map((column) => column.name)];
}
