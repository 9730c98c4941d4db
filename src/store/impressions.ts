import { sql } from 'kysely';
import type { ImpressionChange, Key } from '../state/change.ts';
import { columnsOf } from './batch.ts';
import type { Reading } from './reading.ts';
import { changeAt, columnNames } from './rows.ts';
import { TABLE_OF } from './tables.ts';

/** Maximum number of recorded pages per read, the latest ones. */
const PAGES_MAX = 2_000;

/** Reads the pages that a user was shown after a time, in seconds. Uses an index. */
export async function readImpressions(
  { db, values }: Reading,
  user: Key,
  since: number,
): Promise<ImpressionChange[]> {
  const table = TABLE_OF.impression;
  const columns = columnNames('impression').map((name) => sql.ref(name));
  const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)}
    where user_key = ${user} and timestamp > ${since} order by timestamp desc limit ${PAGES_MAX}`;
  const rows = columnsOf(table, await values(query.compile(db)));
  return Array.from(rows.seqs, (_, at) => changeAt('impression', rows, at)).filter(
    (change): change is ImpressionChange => change.kind === 'impression',
  );
}
