import type { SQL } from 'bun';
import { sql, type Transaction } from 'kysely';
import { StartupError } from '../../errors.ts';
import type { Tables } from '../tables.ts';
import { leave, openPool } from './pool.ts';
import { isRefusedLock } from './refusal.ts';
import { ENDS_LEFT_TRANSACTION, NOTICES_LOST_CLIENT } from './session.ts';

/** Advisory locks are per database; the numbers only have to differ from those of other software. */
const WRITE_LOCK = 7_136_101;

/**
 * Has the transaction durable when it is said to be, also where the server is set up not to wait for its disk. What makes it
 * wait for more is left as it is.
 */
const IS_DURABLE = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)`;

/** What goes before waiting for others; in this order, as the last is what waits. */
function lockingStatement(patience_seconds: number | undefined): string {
  const settings = [IS_DURABLE, ENDS_LEFT_TRANSACTION, NOTICES_LOST_CLIENT];
  if (patience_seconds !== undefined)
    settings.push(`set_config('lock_timeout', '${Math.ceil(patience_seconds * 1000)}ms', true)`);
  return `select ${settings.join(', ')}, pg_advisory_xact_lock(${WRITE_LOCK})`;
}

/** See `Connection.lockWrites`. */
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

/** What the server tells of a session, all but its number only if the role may know. */
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

/** Who has the lock; undefined when nobody has it any more, or it cannot be asked. Not by the pool, whose connections may all wait. */
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
