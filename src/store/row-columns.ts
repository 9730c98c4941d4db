import type { ColumnData, List, ListColumn } from './tables.ts';

/** Rows of one table as columns. Index `at` of each column belongs to one row. */
export interface Rows {
  seqs: Float64Array<ArrayBuffer>;
  applied_at: Float64Array<ArrayBuffer>;
  /** The other columns of the table, in order. */
  columns: readonly ColumnData[];
}

export function numberAt({ columns }: Rows, column: number, at: number): number {
  return (columns[column] as Float64Array)[at];
}

export function textAt({ columns }: Rows, column: number, at: number): string {
  return (columns[column] as string[])[at];
}

export function keysAt({ columns }: Rows, column: number, at: number): Uint32Array {
  return listOf(columns[column] as ListColumn, at) as Uint32Array;
}

export function numbersAt({ columns }: Rows, column: number, at: number): Float64Array {
  return listOf(columns[column] as ListColumn, at) as Float64Array;
}

/** The list of row `at`, copied so that it does not keep the whole column in memory. */
export function listOf({ values, ends }: ListColumn, at: number): List {
  return values.slice(at === 0 ? 0 : ends[at - 1], ends[at]);
}

export function contentAt<T>(rows: Rows, column: number, at: number): T {
  return JSON.parse(textAt(rows, column, at)) as T;
}
