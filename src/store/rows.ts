import { type Change, type ItemContent, NONE, type UserContent } from '../state/change.ts';
import { type Kind, TABLE_OF, type Value } from './tables.ts';

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

function packed(numbers: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A copy: what a database hands out is neither aligned nor ours to keep. */
function unpacked(value: Value): ArrayBuffer {
  return (value as Uint8Array).slice().buffer as ArrayBuffer;
}

/** The keys in a packed column. */
export function unpackedKeys(value: Value): Uint32Array {
  return new Uint32Array(unpacked(value));
}

/** The columns of `change` in the order of its table, without `seq` and `applied_at`. */
export function rowOf(change: Change): Value[] {
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
      return [change.user, change.timestamp, packed(change.items)];
    case 'deletion':
      return [change.item, change.author ?? NONE];
    case 'erasure':
      return [change.user];
    case 'trend':
      return [packed(change.numbers)];
    case 'retirement':
      return [packed(change.items)];
  }
}

/** A row as read: `seq`, `applied_at`, then the columns of the table in order. */
export type Row = readonly Value[];

function text(value: Value): string {
  return value as string;
}

function contentOf<T>(value: Value): T {
  return JSON.parse(value as string) as T;
}

/** Numbers pass as they are: converted, one that is not whole would send the engine back to slow code each time. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number(value);
}

/** The change that a row of the table of `kind` stands for. */
export function changeOf(kind: Kind, row: Row): Change {
  const seq = numberOf(row[0]);
  const applied_at = numberOf(row[1]);
  switch (kind) {
    case 'name':
      return {
        kind,
        seq,
        applied_at,
        space: row[2] === 0 ? 'user' : 'item',
        key: numberOf(row[3]),
        id: restoredText(text(row[4])),
      };
    case 'item':
      return {
        kind,
        seq,
        applied_at,
        item: numberOf(row[2]),
        author: numberOf(row[3]),
        content: contentOf<ItemContent>(row[4]),
      };
    case 'user':
      return { kind, seq, applied_at, user: numberOf(row[2]), content: contentOf<UserContent>(row[3]) };
    case 'interaction':
      return {
        kind,
        seq,
        applied_at,
        user: numberOf(row[2]),
        item: numberOf(row[3]),
        event_type: numberOf(row[4]),
        action: numberOf(row[5]),
        timestamp: numberOf(row[6]),
        event_id: restoredText(text(row[7])),
      };
    case 'trend':
      return { kind, seq, applied_at, numbers: new Float64Array(unpacked(row[2])) };
    case 'retirement':
      return { kind, seq, applied_at, items: unpackedKeys(row[2]) };
    default:
      return plainChangeOf(kind, seq, applied_at, row);
  }
}

function plainChangeOf(
  kind: Exclude<Kind, 'name' | 'item' | 'user' | 'interaction' | 'trend' | 'retirement'>,
  seq: number,
  applied_at: number,
  row: Row,
): Change {
  const first = numberOf(row[2]);
  switch (kind) {
    case 'engagement':
      return {
        kind,
        seq,
        applied_at,
        item: first,
        likes_count: numberOf(row[3]),
        comments_count: numberOf(row[4]),
        shares_count: numberOf(row[5]),
        updated_at: numberOf(row[6]),
      };
    case 'follow':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        target: numberOf(row[3]),
        timestamp: numberOf(row[4]),
        action: numberOf(row[5]),
      };
    case 'block':
      return { kind, seq, applied_at, user: first, target: numberOf(row[3]), action: numberOf(row[4]) };
    case 'impression':
      return {
        kind,
        seq,
        applied_at,
        user: first,
        timestamp: numberOf(row[3]),
        items: unpackedKeys(row[4]),
      };
    case 'deletion': {
      const author = numberOf(row[3]);
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
