import { type Kysely, sql } from 'kysely';
import type { ColumnType } from '../model/member.ts';
import type { EngineName } from './connection.ts';
import type { ChangeTable } from './tables.ts';

/**
 * SQL types per engine.
 *
 * PostgreSQL stores counts as doubles (exact up to 2^53), because the client returns its 64-bit integers as text. In
 * SQLite an `integer primary key` is the row id, so it needs no index.
 */
export const SQL_TYPES = {
  sqlite: {
    key: 'integer',
    count: 'integer',
    code: 'integer',
    time: 'real',
    text: 'text',
    keys: 'blob',
    numbers: 'blob',
    bytes: 'blob',
    seq: 'integer',
  },
  postgres: {
    key: 'integer',
    count: 'double precision',
    code: 'smallint',
    time: 'double precision',
    text: 'text',
    keys: 'bytea',
    numbers: 'bytea',
    bytes: 'bytea',
    seq: 'bigint',
  },
} as const satisfies Record<EngineName, Record<ColumnType | 'seq', string>>;

/** Creates tables as their first migration did. Columns with `since` are added by later ones. */
export async function createChangeTables(
  db: Kysely<unknown>,
  engine: EngineName,
  tables: readonly (Pick<ChangeTable, 'columns'> & { table: string })[],
): Promise<void> {
  const types = SQL_TYPES[engine];
  for (const entry of tables) {
    let create = db.schema
      .createTable(entry.table)
      .addColumn('seq', sql.raw(types.seq), (column) => column.primaryKey())
      .addColumn('applied_at', sql.raw(types.time), (column) => column.notNull());
    for (const { name, type, since } of entry.columns) {
      if (since !== undefined) continue;
      create = create.addColumn(name, sql.raw(types[type]), (column) => column.notNull());
    }
    await create.execute();
  }
}
