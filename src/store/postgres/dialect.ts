import type { SQL } from 'bun';
import { CompiledQuery, type DatabaseConnection, type Dialect } from 'kysely';
import { PostgresJSDialect, PostgresJSDriver } from 'kysely-postgres-js';

class Driver extends PostgresJSDriver {
  /**
   * A rollback fails when the connection is gone, and with it the transaction; Kysely's own way of
   * discarding the connection then is not there for this client. What made it roll back is the news.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
  }
}

class BunPostgresDialect extends PostgresJSDialect {
  constructor(private readonly client: SQL) {
    super({ postgres: client });
  }

  override createDriver(): Driver {
    return new Driver({ postgres: this.client });
  }
}

/** Kysely over Bun's own PostgreSQL client. */
export function dialect(client: SQL): Dialect {
  return new BunPostgresDialect(client);
}
