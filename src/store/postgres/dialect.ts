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
 * Returns a connection to its pool, unless the server reported that it cannot write.
 *
 * A session learns whether it can write only when it begins. Since then, the server may have become a standby, or may
 * accept writes from new sessions only.
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

function renewing(client: SQL) {
  return {
    options: client.options,
    reserve: async (options?: { signal?: AbortSignal }) => returnedIfWritable(await client.reserve(options)),
    end: (options?: { timeout?: number }) => client.end(options),
  };
}

class Driver extends PostgresJSDriver {
  /**
   * Ignores the server's default isolation. A transaction that waited for a lock must see what was committed meanwhile.
   */
  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel = 'read committed' } = settings;
    return super.beginTransaction(connection, { ...settings, isolationLevel });
  }

  /**
   * Ignores a failed rollback.
   *
   * A rollback fails if the connection is lost, which ends the transaction too. The original error is the useful one.
   * Kysely's own way to discard the connection does not exist for this client.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
  }
}

/** Skips Kysely's lock on migrations. It belongs to a session, and other processes would wait for it for an hour. */
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

export function dialect(client: SQL): Dialect {
  return new BunPostgresDialect(client);
}
