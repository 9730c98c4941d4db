import type { ReservedSQL, SQL } from 'bun';
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
import { isReadOnly } from './refusal.ts';
import { NOTICES_LOST_CLIENT } from './session.ts';

/**
 * A connection that goes back to its pool, unless the server has said that nothing can be written by it: whether it can is told
 * when a session begins. The server may be a standby since, or may be written again by new sessions only.
 */
function returnedIfWritable(reserved: ReservedSQL) {
  let is_writable = true;
  return {
    unsafe(...query: Parameters<ReservedSQL['unsafe']>) {
      const asked = reserved.unsafe(...query);
      asked.catch((error) => {
        if (isReadOnly(error)) is_writable = false;
      });
      return asked;
    },
    release() {
      const gone = is_writable ? reserved.release() : reserved.close();
      gone.catch(() => {});
    },
  };
}

/** A pool as the driver knows it. */
function renewing(client: SQL) {
  return {
    options: client.options,
    reserve: async (options?: { signal?: AbortSignal }) => returnedIfWritable(await client.reserve(options)),
    end: (options?: { timeout?: number }) => client.end(options),
  };
}

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
    return new Driver({ postgres: () => renewing(this.client) });
  }
}

/** Kysely over Bun's own PostgreSQL client. */
export function dialect(client: SQL): Dialect {
  return new BunPostgresDialect(client);
}
