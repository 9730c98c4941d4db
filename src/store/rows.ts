import { type Change, type ItemContent, NONE, type UserContent } from '../state/change.ts';
import { type ColumnData, type Kind, TABLE_OF, type Value } from './tables.ts';

/**
 * Change ⇄ row. Text of the outside world may hold what no database keeps (NUL on PostgreSQL, halves of
 * surrogate pairs on both); it is escaped here, so that one odd identifier cannot fail the batch of
 * everybody else. JSON text needs no escaping: `JSON.stringify` leaves neither in.
 */

const ESCAPE = '\u001a';
const CONTROLS = `[\0${ESCAPE}]`;
const SUSPECT = new RegExp(`${CONTROLS}|[\\ud800-\\udfff]`);
const UNSTORABLE = new RegExp(
  `${CONTROLS}|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`,
  'g',
);
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, 'g');

/** `text` as either engine can keep it; the same string unless it holds something that it cannot. */
export function storableText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** The inverse of `storableText`. */
export function restoredText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** What is packed. */
export type Numbers = Uint32Array | Float64Array;

/** A copy: what a database hands out is neither aligned nor ours to keep. */
function unpacked(value: Value): ArrayBuffer {
  return (value as Uint8Array).slice().buffer as ArrayBuffer;
}

/** The keys in a packed column. */
export function unpackedKeys(value: Value): Uint32Array {
  return new Uint32Array(unpacked(value));
}

/** The columns of `change` in the order of its table, without `seq` and `applied_at`: packed ones as the numbers that they hold. */
export function rowOf(change: Change): (Value | Numbers)[] {
  switch (change.kind) {
    case 'name':
      return [change.space === 'user' ? 0 : 1, change.key, storableText(change.id)];
    case 'item':
      return [change.item, change.author, JSON.stringify(change.content)];
    case 'user':
      return [change.user, JSON.stringify(change.content)];
    case 'engagement':
      return [change.item, change.likes_count, change.comments_count, change.shares_count, change.updated_at];
    case 'interaction':
      return [
        change.user,
        change.item,
        change.event_type,
        change.action,
        change.timestamp,
        storableText(change.event_id),
      ];
    case 'follow':
      return [change.user, change.target, change.timestamp, change.action];
    case 'block':
      return [change.user, change.target, change.action];
    case 'impression':
      return [change.user, change.timestamp, change.items];
    case 'deletion':
      return [change.item, change.author ?? NONE];
    case 'erasure':
      return [change.user];
    case 'trend':
      return [change.numbers];
    case 'retirement':
      return [change.items];
  }
}

/** Rows of one table as they are read back, column by column: index `at` of each is one row. */
export interface StoredRows {
  count: number;
  seqs: Float64Array;
  applied_at: Float64Array;
  /** The other columns of the table, in its order. */
  columns: readonly ColumnData[];
}

/** A value of a column of numbers: PostgreSQL gives large ones as text. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number(value);
}

function numberAt({ columns }: StoredRows, column: number, at: number): number {
  return (columns[column] as Float64Array)[at];
}

function textAt({ columns }: StoredRows, column: number, at: number): string {
  return (columns[column] as string[])[at];
}

function bytesAt({ columns }: StoredRows, column: number, at: number): Uint8Array {
  return (columns[column] as Uint8Array[])[at];
}

function contentAt<T>(rows: StoredRows, column: number, at: number): T {
  return JSON.parse(textAt(rows, column, at)) as T;
}

/** The change that row `at` of the table of `kind` stands for. */
export function changeAt(kind: Kind, rows: StoredRows, at: number): Change {
  const seq = rows.seqs[at];
  const applied_at = rows.applied_at[at];
  switch (kind) {
    case 'name':
      return {
        kind,
        seq,
        applied_at,
        space: numberAt(rows, 0, at) === 0 ? 'user' : 'item',
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
      return { kind, seq, applied_at, numbers: new Float64Array(unpacked(bytesAt(rows, 0, at))) };
    case 'retirement':
      return { kind, seq, applied_at, items: unpackedKeys(bytesAt(rows, 0, at)) };
    default:
      return plainChangeAt(kind, seq, applied_at, rows, at);
  }
}

function plainChangeAt(
  kind: Exclude<Kind, 'name' | 'item' | 'user' | 'interaction' | 'trend' | 'retirement'>,
  seq: number,
  applied_at: number,
  rows: StoredRows,
  at: number,
): Change {
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
    case 'block':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        target: numberAt(rows, 1, at),
        action: numberAt(rows, 2, at),
      };
    case 'impression':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        timestamp: numberAt(rows, 1, at),
        items: unpackedKeys(bytesAt(rows, 2, at)),
      };
    case 'deletion': {
      const author = numberAt(rows, 1, at);
      return author === NONE
        ? { kind, seq, applied_at, item: first }
        : { kind, seq, applied_at, item: first, author };
    }
    case 'erasure':
      return { kind, seq, applied_at, user: first };
  }
}

/** Names of every column that a change of `kind` is read from and written to, `seq` first. */
export function columnNames(kind: Kind): string[] {
  return ['seq', 'applied_at', ...TABLE_OF[kind].columns.map((column) => column.name)];
}
