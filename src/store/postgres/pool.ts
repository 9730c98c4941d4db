import { SQL } from 'bun';

const CONNECTION_TIMEOUT_SECONDS = 5;

/**
 * Makes a pool of `max` connections, which open at first use and stay open.
 * @param session settings of each connection
 */
export function openPool(url: string, max: number, schema?: string, session = {}): SQL {
  return new SQL({
    url,
    max,
    connection: schema === undefined ? session : { ...session, search_path: schema },
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
