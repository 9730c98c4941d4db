import { sql, type Transaction } from 'kysely';
import type { MovedTable } from '../moved-tables.ts';
import type { Tables, Value } from '../tables.ts';

/** The text that the server reads a value from. JSON numbers would lose the sign of -0. */
function textOf(value: Value): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Inserts rows of any table. One text parameter holds all rows, so that the statement is prepared once per table. */
export async function insertRows(
  transaction: Transaction<Tables>,
  { table, columns }: MovedTable,
  rows: readonly Value[][],
): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at], textOf(value)])));
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) select ${names}
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(objects)}::text::json)`.execute(
    transaction,
  );
}

export async function emptyTables(
  transaction: Transaction<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(transaction);
}
