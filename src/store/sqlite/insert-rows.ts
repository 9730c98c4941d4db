import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { sql, type Transaction } from 'kysely';
import type { MovedTable } from '../moved-tables.ts';
import type { Tables, Value } from '../tables.ts';

/** Inserts rows of any table by one prepared statement, within the open transaction. */
export function insertRows(
  database: Database,
  { table, columns }: MovedTable,
  rows: readonly Value[][],
): void {
  const names = columns.map((name) => `"${name}"`).join();
  const places = columns.map(() => '?').join();
  const statement = database.query<unknown, SQLQueryBindings[]>(
    `insert into "${table}" (${names}) values (${places})`,
  );
  for (const row of rows) statement.run(...row);
}

export async function emptyTables(
  transaction: Transaction<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(transaction);
}
