import type { SQL } from 'bun';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type MigrationLockOptions,
  PostgresAdapter,
  sql,
  type TransactionSettings,
} from 'kysely';
import { PostgresJSDialect, PostgresJSDriver } from 'kysely-postgres-js';
import { NOTICES_LOST_CLIENT } from './session.ts';

class Driver extends PostgresJSDriver {
  /**
   * Whatever the server's default is: a transaction that waited for a lock must see what was committed meanwhile,
   * and not what there was before.
   */
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel = 'read committed' } = settings;
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }

  /**
   * A rollback fails when the connection is gone, and with it the transaction; Kysely's own way of
   * discarding the connection then is not there for this client. What made it roll back is the news.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
  }
}

/** The lock on migrations is a session's, and others wait for it for an hour. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    await sql.raw(`select ${NOTICES_LOST_CLIENT}`).execute(db);
    await super.acquireMigrationLock(db, options);
  }
}

class BunPostgresDialect extends PostgresJSDialect {
  constructor(private readonly client: SQL) {
    super({ postgres: client });
  }

  override createAdapter(): Adapter {
    return new Adapter();
  }

  override createDriver(): Driver {
    return new Driver({ postgres: this.client });
  }
}

/** Kysely over Bun's own PostgreSQL client. */
export function dialect(client: SQL): Dialect {
  return new BunPostgresDialect(client);
}
