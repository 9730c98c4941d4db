import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Tables, Value } from './tables.ts';

/** Rows of a compiled query as arrays of values, without an object for each. */
export type ReadValues = (query: CompiledQuery) => Promise<Value[][]>;

/** What reading takes. */
export interface Reading {
  readonly db: Kysely<Tables>;
  readonly values: ReadValues;
  /** `(select …)` of the integers in a JSON list, for `in`: one prepared statement for any number. */
  integersIn(json: string): RawBuilder<number>;
}
