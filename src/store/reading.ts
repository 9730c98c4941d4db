import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Tables, Value } from './tables.ts';

/** Reads the rows of a compiled query as arrays of values, without an object per row. */
export type ReadValues = (query: CompiledQuery) => Promise<Value[][]>;

/** What reads need from a connection. */
export interface Reading {
  readonly db: Kysely<Tables>;
  readonly values: ReadValues;
  /** `(select …)` of the integers in a JSON list, for `in`. One prepared statement serves lists of any length. */
  integersIn(json: string): RawBuilder<number>;
  /**
   * Selects `viewer`, `part`, `number` and `content` of rows of `seen`, in this order, from a JSON list of pairs of a
   * viewer in hexadecimal text and a number: the head, and parts with a higher number, if the head has another number.
   * All but `viewer` are null if there is no row and the number is not 0.
   */
  seenSince(json: string): RawBuilder<unknown>;
}
