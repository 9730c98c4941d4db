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
  /** `(select …)` of `viewer` and `number` from a JSON list of pairs, the viewers as hexadecimal text. */
  viewersIn(json: string): RawBuilder<unknown>;
}
