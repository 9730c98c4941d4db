import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { type Dialect, SqliteAdapter, SqliteDialect } from 'kysely';

type Parameters = readonly unknown[];

function bindings(parameters: Parameters): SQLQueryBindings[] {
  return parameters as SQLQueryBindings[];
}

/**
 * SQLite ends a transaction by itself when the disk is full. Rolling it back again would fail, and Kysely
 * would report that failure in place of the reason.
 */
const NOTHING_TO_ROLL_BACK = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

/**
 * Transactions are for writing. One that has read and then wants to write is refused without waiting when
 * somebody else has written in between, so each takes the write lock first, for which it waits.
 */
const BEGIN = 'begin immediate';

/**
 * SQLite can take back what creates tables, and must: a process that ends in the middle of a migration would
 * leave tables over which every later one falls.
 */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class BunSqliteDialect extends SqliteDialect {
  override createAdapter(): Adapter {
    return new Adapter();
  }
}

/** Kysely's own dialect over `bun:sqlite`, which differs from what Kysely names in types only. */
export function dialect(database: Database): Dialect {
  return new BunSqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (text) => {
        if (text === 'rollback' && !database.inTransaction) return NOTHING_TO_ROLL_BACK;
        // Kept by the database, which can only close for good when no statement is left over.
        const statement = database.query<unknown, SQLQueryBindings[]>(text === 'begin' ? BEGIN : text);
        return {
          reader: statement.reader,
          all: (parameters: Parameters) => statement.all(...bindings(parameters)),
          run: (parameters: Parameters) => statement.run(...bindings(parameters)),
          iterate: (parameters: Parameters) => statement.iterate(...bindings(parameters)),
        };
      },
    },
  });
}
