import { sql } from 'kysely';
import type { ShownChange } from '../model/changes/shown.ts';
import { columnsOf } from './batch.ts';
import type { Reading } from './reading.ts';
import { changeAt, columnNames } from './rows.ts';
import { TABLE_OF } from './tables.ts';

/** Pages that are read at once. */
const READ_MAX = 1_000;

/** Reads the next logged pages of a viewer, in order of `seq`. One lookup in an index. */
export async function readShown(
  { db, values }: Reading,
  viewer: string,
  after: number,
): Promise<ShownChange[]> {
  const table = TABLE_OF.shown;
  const columns = columnNames('shown').map((name) => sql.ref(name));
  const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)}
    where viewer = ${viewer} and seq > ${after} order by seq limit ${sql.lit(READ_MAX)}`;
  const rows = columnsOf(table, await values(query.compile(db)));
  return [...rows.seqs.keys()].map((at) => changeAt('shown', rows, at) as ShownChange);
}
