import type { ReservedSQL, SQL } from 'bun';
import type { Timers } from '../../clock.ts';
import type { Holder, Lock, Watch } from '../connection.ts';
import { FENCE } from '../fence.ts';
import { inUse } from '../holder.ts';
import { leave, openPool } from './pool.ts';
import { isRefusedLock, refusal, unreachable } from './refusal.ts';
import { GONE_SECONDS, NOTICES_LOST_CLIENT } from './session.ts';

/**
 * Held by a dedicated connection, so that the server releases it with the process. Follows the number in write-lock.ts.
 */
const SERVE_LOCK = 7_136_102;

/** The nodes of a cluster share the lock. Any other process needs it alone. */
export type LockMode = 'exclusive' | 'shared';

/** Ends of the names of the server's functions. */
const SUFFIX: Readonly<Record<LockMode, string>> = { exclusive: '', shared: '_shared' };
/** How long to wait for the server to notice that a killed holder is gone. */
const LOCK_TIMEOUT_MS = 1_000;
/** Seconds between checks of the lock's connection, and the timeout of each check. */
const PING_SECONDS = 0.5;
const PATIENCE_SECONDS = 5;
/** Seconds during which a dropped lock stays reserved for its holder, which is several checks. */
const RETURN_SECONDS = 2;

/** The remedy if the holder cannot be stopped. */
const LOST_HOST = `if its host is gone, try again in ${GONE_SECONDS} s`;

const ANNOUNCE =
  "insert into meta (name, value) values ('holder', $1) on conflict (name) do update set value = excluded.value";

/** A connection that has the lock while it lasts. */
interface LockConnection {
  pool: SQL;
  client: ReservedSQL;
}

/** Makes the server release the lock soon after the host of the process is lost. */
async function connect(url: string): Promise<LockConnection> {
  const pool = openPool(url, 1);
  try {
    const client = await pool.reserve();
    await client.unsafe(`select ${NOTICES_LOST_CLIENT}`);
    return { pool, client };
  } catch (error) {
    leave(pool);
    throw error;
  }
}

async function metaText(client: SQL, name: string): Promise<string | undefined> {
  const [row] = await client.unsafe('select value from meta where name = $1', [name]).values();
  return row?.[0];
}

/** The holder that announced itself and has not left. Undefined also if there are no tables yet. */
async function holderText(client: SQL): Promise<string | undefined> {
  return metaText(client, 'holder').catch(() => undefined);
}

/** Whether a session has the lock. The number is in `objid`, as it has less than 32 bits. */
const IS_HELD = `select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${SERVE_LOCK}
  and granted and database = (select oid from pg_database where datname = current_database())`;

/** The process that holds the lock of a database. Undefined if there is none, or it has not announced itself yet. */
export async function holderOfDatabase(client: SQL): Promise<Holder | undefined> {
  const held = await client.unsafe(IS_HELD).values();
  const text = held.length === 0 ? undefined : await holderText(client);
  return text === undefined ? undefined : (JSON.parse(text) as Holder);
}

/** If the last holder did not release the lock, waits for it: it may have lost its connection and reconnect. */
async function waitForReturn(client: SQL): Promise<void> {
  if ((await holderText(client)) === undefined) return;
  await client.unsafe(`select pg_advisory_unlock(${SERVE_LOCK})`);
  await client.unsafe(`select pg_sleep(${RETURN_SECONDS})`);
  await client.unsafe(`select pg_advisory_lock(${SERVE_LOCK})`);
  // Later refusals must not name the previous holder.
  await client.unsafe("delete from meta where name = 'holder'");
}

/**
 * Takes the lock of a database.
 *
 * If the last holder did not release an exclusive lock, waits two seconds. That process may have been killed, or may
 * have lost its connection and reconnect.
 * @throws StartupError `data_in_use` naming the holder, `database_unreachable`, `database_unsuitable`,
 * `data_unwritable`
 */
export async function lockDatabase(
  url: string,
  holder: Holder,
  timers: Timers,
  mode: LockMode = 'exclusive',
): Promise<Lock> {
  let connection: LockConnection | undefined;
  try {
    connection = await connect(url);
    const { client } = connection;
    await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.unsafe(`select pg_advisory_lock${SUFFIX[mode]}(${SERVE_LOCK})`);
    if (mode === 'exclusive') await waitForReturn(client);
    return new DatabaseLock(url, JSON.stringify(holder), timers, mode, connection);
  } catch (error) {
    const refused = isRefusedLock(error);
    const other = connection && refused ? await holderText(connection.client) : undefined;
    await connection?.pool.close({ timeout: 0 });
    if (!refused) throw refusal(url, error) ?? unreachable(url, error);
    throw inUse(`the database '${new URL(url).pathname.slice(1)}'`, other && JSON.parse(other), LOST_HOST);
  }
}

/**
 * A lock that reconnects when its connection is lost.
 *
 * The server drops the lock with its connection, for example when it restarts. The holder therefore checks the
 * connection and takes the lock again, unless another process has taken over the data.
 */
class DatabaseLock implements Lock {
  private checking: Promise<void> = Promise.resolve();
  private released = false;
  private cancel = (): void => {};

  constructor(
    private readonly url: string,
    private readonly holder: string,
    private readonly timers: Timers,
    private readonly mode: LockMode,
    private connection: LockConnection | undefined,
  ) {}

  async announce(): Promise<void> {
    await this.connection?.client.unsafe(ANNOUNCE, [this.holder]);
  }

  watch(watch: Watch): void {
    this.cancel = this.timers.after(PING_SECONDS, () => {
      this.checking = this.check(watch.fence).then((state) => {
        if (state === 'taken') watch.onTaken();
        else if (!this.released) this.watch(watch);
      });
    });
  }

  /** `lost` means that the server is unreachable or still keeps the former connection. */
  private async check(fence: string): Promise<'held' | 'lost' | 'taken'> {
    if (this.connection !== undefined) {
      if (await this.answered(this.connection.client.unsafe('select 1'))) return 'held';
      leave(this.connection.pool);
      this.connection = undefined;
    }
    let connection: LockConnection | undefined;
    try {
      connection = await connect(this.url);
      const { client } = connection;
      const taking = `select pg_try_advisory_lock${SUFFIX[this.mode]}(${SERVE_LOCK})`;
      const [[given]] = await client.unsafe(taking).values();
      // Checked after the lock is taken, when no other process can raise a fence. Nodes have the lease instead.
      const is_ours = this.mode === 'shared' || (await metaText(client, FENCE)) === fence;
      if (given && is_ours) {
        // A process that held the lock in between and failed to open the data has removed this text.
        if (this.mode === 'exclusive') await client.unsafe(ANNOUNCE, [this.holder]);
        this.connection = connection;
        return 'held';
      }
      leave(connection.pool);
      return is_ours ? 'lost' : 'taken';
    } catch {
      leave(connection?.pool);
      return 'lost';
    }
  }

  private answered(query: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.timers.after(PATIENCE_SECONDS, () => resolve(false));
      query.then(
        () => resolve(true),
        () => resolve(false),
      );
      query.finally(cancel).catch(() => {});
    });
  }

  async release(): Promise<void> {
    this.released = true;
    this.cancel();
    await this.answered(this.checking);
    if (this.connection === undefined) return;
    const { pool, client } = this.connection;
    const left = "delete from meta where name = 'holder' and value = $1";
    await this.answered(client.unsafe(left, [this.holder]));
    await pool.close({ timeout: 0 });
  }
}
