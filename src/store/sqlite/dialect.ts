import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { type Dialect, SqliteAdapter, SqliteDialect } from 'kysely';

type Parameters = readonly unknown[];

function bindings(parameters: Parameters): SQLQueryBindings[] {
  return parameters as SQLQueryBindings[];
}

/**
 * A rollback that does nothing, because SQLite ends a transaction by itself when the disk is full.
 *
 * A second rollback would fail, and Kysely would report that failure instead of the cause.
 */
const NOTHING_TO_ROLL_BACK = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

/**
 * Transactions take the write lock at their start.
 *
 * SQLite refuses without waiting if a transaction first reads, another one writes, and then it wants to write.
 */
const BEGIN = 'begin immediate';

/**
 * Runs migrations in a transaction.
 *
 * Otherwise an interrupted migration would leave tables on which every later one fails.
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

/** Kysely's SQLite dialect over `bun:sqlite`, which differs from Kysely's driver interface only in types. */
export function dialect(database: Database): Dialect {
  return new BunSqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (text) => {
        if (text === 'rollback' && !database.inTransaction) return NOTHING_TO_ROLL_BACK;
        // The database keeps the statement, so that it can finalise all statements when it closes.
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
