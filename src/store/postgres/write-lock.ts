import type { SQL } from 'bun';
import { sql, type Transaction } from 'kysely';
import { StartupError } from '../../errors.ts';
import type { Tables } from '../tables.ts';
import { leave, openPool } from './pool.ts';
import { isRefusedLock } from './refusal.ts';
import { ENDS_LEFT_TRANSACTION, NOTICES_LOST_CLIENT } from './session.ts';

/** Advisory locks are per database, so the numbers must differ from those of other software. */
const WRITE_LOCK = 7_136_101;

/**
 * Makes the transaction durable on commit.
 *
 * This holds even if the server is configured not to wait for its disk. Stricter settings are kept.
 */
export const IS_DURABLE = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)`;

/** The settings come before the lock in one statement, because the lock may wait. */
function lockingStatement(patience_seconds: number | undefined): string {
  const settings = [IS_DURABLE, ENDS_LEFT_TRANSACTION, NOTICES_LOST_CLIENT];
  if (patience_seconds !== undefined)
    settings.push(`set_config('lock_timeout', '${Math.ceil(patience_seconds * 1000)}ms', true)`);
  return `select ${settings.join(', ')}, pg_advisory_xact_lock(${WRITE_LOCK})`;
}

export async function lockWrites(
  url: string,
  transaction: Transaction<Tables>,
  patience_seconds: number | undefined,
): Promise<void> {
  try {
    await sql.raw(lockingStatement(patience_seconds)).execute(transaction);
  } catch (error) {
    if (patience_seconds === undefined || !isRefusedLock(error)) throw error;
    throw beingWritten(url, patience_seconds, await writingSession(url));
  }
}

/** A session of the server. Without rights, the role sees only the process id. */
interface Session {
  pid: number;
  client: string | null;
  application: string | null;
  state: string | null;
}

const WRITING_SESSION = `
  select pid, host(client_addr) as client, nullif(application_name, '') as application, state
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, ${WRITE_LOCK}, 1)
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * The session that holds the write lock; undefined if it was released or the server does not answer.
 *
 * Uses a separate connection, because all connections of the pool may wait for the lock.
 */
async function writingSession(url: string): Promise<Session | undefined> {
  const pool: SQL = openPool(url, 1);
  try {
    const [session] = await pool.unsafe(WRITING_SESSION);
    return session;
  } catch {
    return undefined;
  } finally {
    leave(pool);
  }
}

function beingWritten(url: string, patience_seconds: number, session: Session | undefined): StartupError {
  const { pid, client, application, state } = session ?? {};
  const known = [client && `from ${client}`, application, state].filter((part) => part).join(', ');
  const by = pid === undefined ? 'another session' : `session ${pid} of the server`;
  return new StartupError(
    'data_in_use',
    `the database '${new URL(url).pathname.slice(1)}' has been locked for writing for ${patience_seconds} s by ${by}${known && ` (${known})`}`,
    pid === undefined
      ? 'try again'
      : `wait until it has ended, or end it on the server: select pg_terminate_backend(${pid})`,
  );
}
