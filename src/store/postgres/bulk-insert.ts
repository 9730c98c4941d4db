import { sql, type Transaction } from 'kysely';
import { type Batch, boundRow, type TableRows } from '../codec.ts';
import { columnNames } from '../rows.ts';
import type { Tables } from '../tables.ts';

/**
 * Rows of one statement. Few sizes, so that few prepared statements serve every batch; the largest times
 * the widest table stays far below the 65,535 parameters of the protocol.
 */
const CHUNKS = [512, 64, 8, 1] as const;

async function insertRows(
  transaction: Transaction<Tables>,
  rows: TableRows,
  base: number,
  from: number,
  count: number,
): Promise<void> {
  const columns = columnNames(rows.table.kind).map((name) => sql.ref(name));
  const tuples = [];
  for (let index = from; index < from + count; index++) {
    tuples.push(sql`(${sql.join(boundRow(rows, index, base))})`);
  }
  await sql`insert into ${sql.table(rows.table.table)} (${sql.join(columns)})
    values ${sql.join(tuples)}`.execute(transaction);
}

/** Appends the rows of `batch` in multi-row statements within `transaction`. */
export async function insertBatch(
  transaction: Transaction<Tables>,
  batch: Batch,
  base: number,
): Promise<void> {
  for (const rows of batch.tables) {
    let done = 0;
    while (done < rows.positions.length) {
      const left = rows.positions.length - done;
      const count = CHUNKS.find((size) => size <= left) ?? 1;
      await insertRows(transaction, rows, base, done, count);
      done += count;
    }
  }
}
