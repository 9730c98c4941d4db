import { CHANGES, type Change, type Kind } from '../model/change.ts';
import type { AnyMember, ChangeDefinition } from '../model/define-change.ts';
import { NONE } from '../model/key.ts';
import { type ColumnData, LIST_TYPES, type List, type ListColumn, TABLE_OF, type Value } from './tables.ts';

/** Rows of one table as columns. Index `at` of each column belongs to one row. */
export interface Rows {
  seqs: Float64Array<ArrayBuffer>;
  applied_at: Float64Array<ArrayBuffer>;
  /** The other columns of the table, in order. */
  columns: readonly ColumnData[];
}

/** Stored for the absent time of a deletion that removes all acts. */
export const ALL_ACTS = NONE;

/** Stored for a page that no experiment decided. */
export const NO_ARM = 0;

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

/** One row: `seq`, `applied_at`, then the columns of its table in order. */
export type Row = readonly (Value | List)[];

/** Both directions between the changes and the rows of a kind. */
interface Codec {
  rowOf(change: Change, seq: number): Row;
  changeAt(rows: Rows, at: number): Change;
}

const CODECS = Object.fromEntries(CHANGES.map((change) => [change.kind, codecOf(change)])) as Record<
  Kind,
  Codec
>;

/**
 * Compiles the codec of a kind to one literal for a row and one for a change, as if it was written by hand, because a
 * start makes millions of changes.
 */
function codecOf({ kind, members, derived = {} }: ChangeDefinition): Codec {
  const entries = Object.entries(members);
  const stored = entries.map(([name, { store }]) =>
    store === undefined ? `change.${name}` : `members.${name}.store(change.${name})`,
  );
  const repeated = Object.keys(derived).map((name) => `derived.${name}.derive(change)`);
  const restored = entries.map(([name, member], index) => ({
    name,
    value: restoring(name, member, index),
    is_optional: member.is_optional === true,
  }));
  const required = restored.filter(({ is_optional }) => !is_optional);
  const optional = restored.filter(({ is_optional }) => is_optional);
  const compile = new Function(
    'members',
    'derived',
    'listOf',
    `return {
      rowOf: (change, seq) => [seq, change.applied_at, ${[...stored, ...repeated]}],
      changeAt({ seqs, applied_at, columns }, at) {
        const change = { kind: '${kind}', seq: seqs[at], applied_at: applied_at[at],
          ${required.map(({ name, value }) => `${name}: ${value}`)} };
        let value;
        ${optional.map(({ name, value }) => `if ((value = ${value}) !== undefined) change.${name} = value;`).join('')}
        return change;
      },
    }`,
  );
  return compile(members, derived, listOf) as Codec;
}

function restoring(name: string, { type, restore }: AnyMember, index: number): string {
  const value = LIST_TYPES.has(type) ? `listOf(columns[${index}], at)` : `columns[${index}][at]`;
  return restore === undefined ? value : `members.${name}.restore(${value})`;
}

/** Makes the row of `change` with this `seq`. */
export function rowOf(change: Change, seq: number): Row {
  return CODECS[change.kind].rowOf(change, seq);
}

/** Makes the change of a row. */
export function changeAt<K extends Kind>(kind: K, rows: Rows, at: number): Extract<Change, { kind: K }> {
  return CODECS[kind].changeAt(rows, at) as Extract<Change, { kind: K }>;
}

/** A value of a numeric column. PostgreSQL returns large numbers as text. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : Number(value);
}

export type BoundValue = number | string | List;

export function valueAt(column: ColumnData, at: number): BoundValue {
  return 'ends' in column ? listOf(column, at) : column[at];
}

/** The list of row `at`, copied so that it does not keep the whole column in memory. */
function listOf({ values, ends }: ListColumn, at: number): List {
  return values.slice(at === 0 ? 0 : ends[at - 1], ends[at]);
}

/** The names of all columns of `kind`, `seq` first. */
export function columnNames(kind: Kind): string[] {
  return ['seq', 'applied_at', ...TABLE_OF[kind].columns.map((column) => column.name)];
}
