import { SQL } from 'bun';

const CONNECTION_TIMEOUT_SECONDS = 5;

/**
 * Makes a server that cannot be written refuse the session, as `target_session_attrs=read-write` does in other clients.
 *
 * A standby may lack acknowledged writes, also while it is being promoted and a proxy leads to it already. Sessions end
 * before their server becomes a standby, so those that were accepted need no further check.
 */
const IS_WRITABLE = { transaction_read_only: 'off' };

/**
 * Limits that a role or a database may have for other programs. Waits for locks, purges, migrations and copies may be longer,
 * so sessions begin without them. `session.ts` has those that older servers do not know.
 */
const UNLIMITED = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * Makes a pool of `max` connections, which open at first use and stay open.
 * @param session settings of each connection
 */
export function openPool(url: string, max: number, schema?: string, session = {}): SQL {
  return new SQL({
    url,
    max,
    connection: {
      ...UNLIMITED,
      ...IS_WRITABLE,
      ...session,
      ...(schema !== undefined && { search_path: schema }),
    },
    adapter: 'postgres',
    idleTimeout: 0,
    maxLifetime: 0,
    connectionTimeout: CONNECTION_TIMEOUT_SECONDS,
  });
}

/** Closes a pool without waiting, as the server may not answer. Open queries fail. */
export function leave(pool: SQL | undefined): void {
  pool?.close({ timeout: 0 }).catch(() => {});
}
