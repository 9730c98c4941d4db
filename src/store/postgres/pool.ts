import { SQL } from 'bun';

/** How long a server may take to let us in. */
const CONNECTION_TIMEOUT_SECONDS = 5;

/** A pool of `max` connections, opened when it is first used and kept. @param session settings of each of them */
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

/** Without waiting: it may be that nobody answers any more. What is under way fails. */
export function leave(pool: SQL | undefined): void {
  pool?.close({ timeout: 0 }).catch(() => {});
}
