import type { Change, Kind } from '../model/change.ts';
import type { ColumnType } from '../model/member.ts';
import { changeAt, numberOf, type Row, type Rows, rowOf, unpackedKeys, unpackedNumbers } from './rows.ts';
import {
  CHANGE_TABLES,
  type ChangeTable,
  type ColumnData,
  type List,
  type ListColumn,
  type NumberColumn,
  type Value,
} from './tables.ts';

/** Changes as rows per table, stored in one transaction. */
export interface Batch {
  row_count: number;
  tables: { kind: Kind; rows: Rows }[];
}

/** Turns changes into rows, numbered from `first_seq`. O(changes). */
export function batchOf(changes: readonly Change[], first_seq: number): Batch {
  const rows_of = new Map<Kind, Row[]>();
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index];
    const row = rowOf(change, first_seq + index);
    const rows = rows_of.get(change.kind);
    if (rows === undefined) rows_of.set(change.kind, [row]);
    else rows.push(row);
  }
  const tables = CHANGE_TABLES.flatMap((table) => {
    const rows = rows_of.get(table.kind);
    return rows === undefined ? [] : [{ kind: table.kind, rows: columnsOf(table, rows) }];
  });
  return { row_count: changes.length, tables };
}

/** The changes of one kind in a batch. */
export function changesIn<K extends Kind>({ tables }: Batch, kind: K): Extract<Change, { kind: K }>[] {
  const rows = tables.find((table) => table.kind === kind)?.rows;
  if (rows === undefined) return [];
  return Array.from(rows.seqs, (_, at) => changeAt(kind, rows, at) as Extract<Change, { kind: K }>);
}

export function columnsOf({ columns }: ChangeTable, rows: readonly Row[]): Rows {
  return {
    seqs: numberColumn(new Float64Array(rows.length), rows, 0),
    applied_at: numberColumn(new Float64Array(rows.length), rows, 1),
    columns: columns.map(({ type }, index) => columnOf(type, rows, index + 2)),
  };
}

function columnOf(type: ColumnType, rows: readonly Row[], index: number): ColumnData {
  switch (type) {
    case 'text':
      return rows.map((row) => row[index] as string);
    case 'keys': {
      const lists = rows.map((row) => listIn(row[index], unpackedKeys));
      return listColumn(lists, (length) => new Uint32Array(length));
    }
    case 'numbers': {
      const lists = rows.map((row) => listIn(row[index], unpackedNumbers));
      return listColumn(lists, (length) => new Float64Array(length));
    }
    case 'bytes':
      return listColumn(
        rows.map((row) => row[index] as Uint8Array),
        (length) => new Uint8Array(length),
      );
    case 'key':
      return numberColumn(new Int32Array(rows.length), rows, index);
    case 'code':
      return numberColumn(new Uint8Array(rows.length), rows, index);
    case 'count':
    case 'time':
      return numberColumn(new Float64Array(rows.length), rows, index);
  }
}

function numberColumn<Column extends NumberColumn>(
  column: Column,
  rows: readonly Row[],
  index: number,
): Column {
  for (let at = 0; at < rows.length; at++) column[at] = numberOf(rows[at][index] as Value);
  return column;
}

/** Changes contain lists; databases return their bytes. */
function listIn(value: Value | List, unpack: (bytes: Value) => List): List {
  return value instanceof Uint32Array || value instanceof Float64Array ? value : unpack(value);
}

function listColumn(lists: readonly List[], make: (length: number) => ListColumn['values']): ListColumn {
  const ends = new Uint32Array(lists.length);
  let length = 0;
  for (let at = 0; at < lists.length; at++) {
    length += lists[at].length;
    ends[at] = length;
  }
  const values = make(length);
  for (let at = 0; at < lists.length; at++) values.set(lists[at], ends[at] - lists[at].length);
  return { values, ends };
}

/**
 * The buffers to transfer when rows are posted to another thread.
 *
 * A transfer takes microseconds for any size, while an object per row would be cloned. Strings are cloned too, but
 * cheaply.
 */
export function buffersOf(tables: readonly { rows: Rows }[]): ArrayBuffer[] {
  return tables.flatMap(({ rows: { seqs, applied_at, columns } }) => [
    seqs.buffer,
    applied_at.buffer,
    ...columns.flatMap((column) => {
      if (Array.isArray(column)) return [];
      return 'ends' in column ? [column.values.buffer, column.ends.buffer] : [column.buffer];
    }),
  ]);
}
