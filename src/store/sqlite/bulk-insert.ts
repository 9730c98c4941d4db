import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { type Batch, boundRow } from '../codec.ts';
import { columnNames } from '../rows.ts';
import { CHANGE_TABLES, type ChangeTable } from '../tables.ts';

/** Compiles without a connection: bulk insert binds to prepared statements itself. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Compiled once: to do so at each commit would cost more than the commit itself. */
const INSERT_TEXTS: ReadonlyMap<ChangeTable, string> = new Map(
  CHANGE_TABLES.map((table) => [table, insertText(table)]),
);

function insertText(table: ChangeTable): string {
  const columns = columnNames(table.kind);
  return sql`insert into ${sql.table(table.table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(columns.map(() => 0))})`.compile(compiler).sql;
}

/**
 * Appends row by row with one prepared statement for each table (`Database.query` keeps it), inside the
 * transaction that is open on `database`: about a million rows a second.
 */
export function insertBatch(database: Database, batch: Batch, base: number): void {
  for (const rows of batch.tables) {
    const statement = database.query<unknown, SQLQueryBindings[]>(INSERT_TEXTS.get(rows.table)!);
    for (let index = 0; index < rows.positions.length; index++) {
      statement.run(...boundRow(rows, index, base));
    }
  }
}
