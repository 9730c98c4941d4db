import type { SQL } from 'bun';
import type { Dialect } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';

/** Kysely over Bun's own PostgreSQL client. */
export function dialect(client: SQL): Dialect {
  return new PostgresJSDialect({ postgres: client });
}
