import { type RawBuilder, sql } from 'kysely';
import type { Change, Kind } from '../model/change.ts';
import { columnsOf } from './batch.ts';
import type { Reading } from './reading.ts';
import { changeAt, columnNames } from './rows.ts';
import { TABLE_OF } from './tables.ts';

/** Reads the changes of a kind that a condition selects, in order of `seq`, or in another `order`. */
export async function readChanges<K extends Kind>(
  { db, values }: Reading,
  kind: K,
  condition: RawBuilder<unknown>,
  { most, order = sql`seq` }: { most?: number; order?: RawBuilder<unknown> } = {},
): Promise<Extract<Change, { kind: K }>[]> {
  const table = TABLE_OF[kind];
  const columns = columnNames(kind).map((name) => sql.ref(name));
  const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)} where ${condition} order by ${order}
    ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`}`;
  const rows = columnsOf(table, await values(query.compile(db)));
  return Array.from(rows.seqs, (_, at) => changeAt(kind, rows, at));
}
