import type { Database } from 'bun:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { Kind } from '../../model/change.ts';
import type { Batch } from '../batch.ts';
import { FORMER_SEQ, HIGHEST_SEQ } from '../meta.ts';
import { type BoundValue, columnNames, type Rows, valueAt } from '../rows.ts';
import { CHANGE_TABLES, type ChangeTable } from '../tables.ts';

/** Compiles without a connection, because bulk inserts bind to prepared statements directly. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Compiled once. Compiling at each commit would cost more than the commit itself. */
const INSERT_TEXTS: ReadonlyMap<Kind, string> = new Map(
  CHANGE_TABLES.map((table) => [table.kind, insertText(table)]),
);

/** Shows later whether a log continues the database beside it. */
const NOTE_FORMER_SEQ = `insert into meta (name, value)
  select ?, cast(value - ? as text) from meta where name = ?
  on conflict (name) do update set value = excluded.value`;

function insertText(table: ChangeTable): string {
  const columns = columnNames(table.kind);
  return sql`insert into ${sql.table(table.table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(columns.map(() => 0))})`.compile(compiler).sql;
}

/** Appends rows with one prepared statement per table, within the open transaction. About a million rows a second. */
export function insertBatch(database: Database, { row_count, tables }: Batch): void {
  database.query<unknown, [string, number, string]>(NOTE_FORMER_SEQ).run(FORMER_SEQ, row_count, HIGHEST_SEQ);
  for (const { kind, rows } of tables) {
    const statement = database.query<unknown, BoundValue[]>(INSERT_TEXTS.get(kind)!);
    for (let at = 0; at < rows.seqs.length; at++) statement.run(...boundRow(rows, at));
  }
}

/** Row `at` as SQLite binds it. Lists become bytes. */
function boundRow({ seqs, applied_at, columns }: Rows, at: number): BoundValue[] {
  const row: BoundValue[] = [seqs[at], applied_at[at]];
  for (const column of columns) row.push(valueAt(column, at));
  return row;
}
