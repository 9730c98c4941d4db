import type { ReservedSQL, SQL } from 'bun';
import type { Timers } from '../../clock.ts';
import type { Holder, Lock, Watch } from '../connection.ts';
import { FENCE } from '../fence.ts';
import { inUse } from '../holder.ts';
import { leave, openPool } from './pool.ts';
import { isRefusedLock, refusal, unreachable } from './refusal.ts';
import { GONE_SECONDS, NOTICES_LOST_CLIENT } from './session.ts';

/** Held by a connection of its own, so that the server drops it with the process. Its number is the next after that of write-lock.ts. */
const SERVE_LOCK = 7_136_102;
/** How long to wait for the server to notice that a killed holder is gone. */
const LOCK_TIMEOUT_MS = 1_000;
/** How often a holder makes sure that its connection is there, and how long it waits for an answer. */
const LOOK_SECONDS = 0.5;
const PATIENCE_SECONDS = 5;
/** How long others leave a lock alone that was dropped and not given back: several looks of its holder. */
const RETURN_SECONDS = 2;

/** What else to do about a holder that cannot be stopped any more. */
const LOST_HOST = `if its host is gone, try again in ${GONE_SECONDS} s`;

const ANNOUNCE =
  "insert into meta (name, value) values ('holder', $1) on conflict (name) do update set value = excluded.value";

/** A connection that has the lock, as long as it lasts. */
interface Held {
  pool: SQL;
  client: ReservedSQL;
}

/** Nothing is asked by the lock's session while the data is opened: no server is to end it for that. Some know no such setting. */
const MAY_BE_IDLE =
  "select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'";

/** The server drops what this one holds soon after the host of the process is gone. */
async function connect(url: string): Promise<Held> {
  const pool = openPool(url, 1);
  try {
    const client = await pool.reserve();
    await client.unsafe(`select ${NOTICES_LOST_CLIENT}`);
    await client.unsafe(MAY_BE_IDLE);
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

/** Who has announced itself and not left since; undefined also where there are no tables yet. */
async function holderText(client: SQL): Promise<string | undefined> {
  return metaText(client, 'holder').catch(() => undefined);
}

/**
 * Takes the exclusive lock of a database. One that its last holder has not given back is left to it for two seconds:
 * it may have been killed, or have lost its connection and be about to come back.
 * @throws StartupError `data_in_use` naming the holder, `database_unreachable`, `database_unsuitable`, `data_unwritable`
 */
export async function lockDatabase(url: string, holder: Holder, timers: Timers): Promise<Lock> {
  let held: Held | undefined;
  try {
    held = await connect(url);
    const { client } = held;
    await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.unsafe(`select pg_advisory_lock(${SERVE_LOCK})`);
    if ((await holderText(client)) !== undefined) {
      await client.unsafe(`select pg_advisory_unlock(${SERVE_LOCK})`);
      await client.unsafe(`select pg_sleep(${RETURN_SECONDS})`);
      await client.unsafe(`select pg_advisory_lock(${SERVE_LOCK})`);
      // Whoever is refused from here on is not to be told of somebody who is gone.
      await client.unsafe("delete from meta where name = 'holder'");
    }
    return new DatabaseLock(url, JSON.stringify(holder), timers, held);
  } catch (error) {
    const refused = isRefusedLock(error);
    const other = held && refused ? await holderText(held.client) : undefined;
    await held?.pool.close({ timeout: 0 });
    if (!refused) throw refusal(url, error) ?? unreachable(url, error);
    throw inUse(`the database '${new URL(url).pathname.slice(1)}'`, other && JSON.parse(other), LOST_HOST);
  }
}

/**
 * The server drops the lock with its connection, for which a restart of the server is enough. So the holder
 * looks after the connection and takes the lock again, unless somebody else has taken the data over in between.
 */
class DatabaseLock implements Lock {
  private looking: Promise<void> = Promise.resolve();
  private released = false;
  private cancel = (): void => {};

  constructor(
    private readonly url: string,
    private readonly holder: string,
    private readonly timers: Timers,
    private held: Held | undefined,
  ) {}

  async announce(): Promise<void> {
    await this.held?.client.unsafe(ANNOUNCE, [this.holder]);
  }

  watch(watch: Watch): void {
    this.cancel = this.timers.after(LOOK_SECONDS, () => {
      this.looking = this.look(watch.fence).then((state) => {
        if (state === 'taken') watch.onTaken();
        else if (!this.released) this.watch(watch);
      });
    });
  }

  /** `lost`: for now, as the server cannot be asked or still believes in the former connection. */
  private async look(fence: string): Promise<'held' | 'lost' | 'taken'> {
    if (this.held !== undefined) {
      if (await this.answered(this.held.client.unsafe('select 1'))) return 'held';
      leave(this.held.pool);
      this.held = undefined;
    }
    let held: Held | undefined;
    try {
      held = await connect(this.url);
      const { client } = held;
      const [[given]] = await client.unsafe(`select pg_try_advisory_lock(${SERVE_LOCK})`).values();
      // Looked at afterwards: with the lock nobody else can raise a fence any more.
      const is_ours = (await metaText(client, FENCE)) === fence;
      if (given && is_ours) {
        // One who had the lock in between and went no further has struck it out.
        await client.unsafe(ANNOUNCE, [this.holder]);
        this.held = held;
        return 'held';
      }
      leave(held.pool);
      return is_ours ? 'lost' : 'taken';
    } catch {
      leave(held?.pool);
      return 'lost';
    }
  }

  /** Whether a query ends well before patience does. */
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
    await this.answered(this.looking);
    if (this.held === undefined) return;
    const { pool, client } = this.held;
    const left = "delete from meta where name = 'holder' and value = $1";
    await this.answered(client.unsafe(left, [this.holder]));
    await pool.close({ timeout: 0 });
  }
}
