import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { type Batch, boundRow } from '../codec.ts';
import { columnNames } from '../rows.ts';
import type { ChangeTable } from '../tables.ts';

/** Compiles without a connection: bulk insert binds to prepared statements itself. */
function compiler(): Kysely<unknown> {
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function insertText(table: ChangeTable): string {
  const columns = columnNames(table.kind);
  return sql`insert into ${sql.table(table.table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(columns.map(() => 0))})`.compile(compiler()).sql;
}

/**
 * Appends row by row with one prepared statement for each table (`Database.query` keeps it), inside the
 * transaction that is open on `database`: about a million rows a second.
 */
export function insertBatch(database: Database, batch: Batch, base: number): void {
  for (const rows of batch.tables) {
    const statement = database.query<unknown, SQLQueryBindings[]>(insertText(rows.table));
    for (let index = 0; index < rows.positions.length; index++) {
      statement.run(...boundRow(rows, index, base));
    }
  }
}
