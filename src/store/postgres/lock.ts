import type { SQL } from 'bun';
import type { Connection, Holder, Lock } from '../connection.ts';
import { inUse } from '../holder.ts';
import { openPool, unreachable } from './connection.ts';

/** Advisory locks are per database; the numbers only have to differ from those of other software. */
export const WRITE_LOCK = 7_136_101;
const SERVE_LOCK = 7_136_102;
/** How long to wait for the server to notice that a killed holder is gone. */
const LOCK_TIMEOUT_MS = 1_000;

/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

async function readHolder(client: SQL): Promise<Holder | undefined> {
  try {
    const [row] = await client.unsafe("select value from meta where name = 'holder'").values();
    return row && (JSON.parse(row[0]) as Holder);
  } catch {
    // The holder has not created its tables yet.
    return undefined;
  }
}

async function writeHolder(connection: Connection, holder: Holder): Promise<void> {
  const value = JSON.stringify(holder);
  await connection.db
    .insertInto('meta')
    .values({ name: 'holder', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/**
 * Takes the exclusive lock of a database: held by a connection of its own, so that the server drops it
 * with the process.
 * @throws StartupError `data_in_use` naming the holder, `database_unreachable`
 */
export async function lockDatabase(url: string, holder: Holder): Promise<Lock> {
  const pool = openPool(url, 1);
  const refuse = async (error: Error): Promise<never> => {
    await pool.close({ timeout: 0 });
    throw error;
  };
  const client = await pool.reserve().catch((error) => refuse(unreachable(url, error)));
  try {
    await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.unsafe(`select pg_advisory_lock(${SERVE_LOCK})`);
  } catch (error) {
    if ((error as { errno?: unknown }).errno !== LOCK_NOT_AVAILABLE) return refuse(unreachable(url, error));
    const other = await readHolder(client);
    return refuse(inUse(`the database '${new URL(url).pathname.slice(1)}'`, other));
  }
  return {
    announce: (connection) => writeHolder(connection, holder),
    release: async () => {
      await pool.close({ timeout: 0 });
    },
  };
}
