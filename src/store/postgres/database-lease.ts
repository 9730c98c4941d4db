import type { SQL } from 'bun';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Timers } from '../../clock.ts';
import { StartupError } from '../../errors.ts';
import { Overtaken } from '../fence.ts';
import type { Tables } from '../tables.ts';
import { requireKnown, type TableChanges } from '../upgrade.ts';
import { SCHEMAS } from './connection.ts';
import { leave, openPool } from './pool.ts';
import { unreachable } from './refusal.ts';
import { ENDS_LEFT_TRANSACTION, NOTICES_LOST_CLIENT } from './session.ts';

/** The name of the only lease: the right to lead the nodes of a database. */
const LEADER = 'leader';
/** Seconds that a lease lasts after it was taken or renewed, by the database's clock. */
export const LEASE_SECONDS = 8;
/** A node that was not seen for this time counts as stopped. */
const SEEN_SECONDS = 10;
/** The rows of nodes are removed after this time. */
const FORGOTTEN_SECONDS = 3_600;
/** Seconds to wait for an answer. A lease must survive one lost answer. */
const ANSWER_SECONDS = 3;
/** The same for `join`, which may wait for its lock, and for a standby that has just lost its connection. */
const JOIN_SECONDS = 20;

/**
 * The advisory lock of `join` and `changeTables`: of two nodes that start at the same moment, one sees the other. Follows
 * the numbers in write-lock.ts and lock.ts.
 */
const JOIN_LOCK = 7_136_103;

/** The database's clock, in seconds. Unlike `now()` it does not stand still within a transaction. */
const NOW = 'extract(epoch from clock_timestamp())::double precision';

/** A claim to the lease. The fence is unique to each time that a node leads. */
export interface Claim {
  node_id: string;
  fence: string;
}

/** What must be the same on all nodes. Fingerprints, except for `release`. */
export interface NodeFacts {
  secret: string;
  /** What a state holds and what changes do to it. */
  state: string;
  plugins: string;
  /** Settings that change pages. */
  settings: string;
}

export interface NodeRow {
  node_id: string;
  /** The address at which other nodes reach it. */
  url: string;
  release: string;
  facts: NodeFacts;
  applied_seq: number;
}

/** A row of the table `nodes`, as other nodes see it. */
export interface SeenNode extends NodeRow {
  leads: boolean;
  /** Seconds since it was seen. */
  silent_seconds: number;
}

/**
 * The lease and the list of nodes, through a connection of their own: a busy pool must not delay the lease.
 *
 * Times are compared by the database's clock only, so the clocks of nodes do not matter.
 */
export class DatabaseLease implements TableChanges {
  private pool: SQL;

  constructor(
    private readonly url: string,
    private readonly timers: Timers,
  ) {
    this.pool = openPool(url, 1);
  }

  /** Takes the lease, if it has run out or there was none. */
  async take({ node_id, fence }: Claim): Promise<boolean> {
    const rows = await this.request(
      `insert into leases (name, holder, fence, expires_at) values ($1, $2, $3, ${NOW} + ${LEASE_SECONDS})
       on conflict (name) do update
         set holder = excluded.holder, fence = excluded.fence, expires_at = excluded.expires_at
         where leases.expires_at <= ${NOW}
       returning holder`,
      [LEADER, node_id, fence],
    );
    return rows.length === 1;
  }

  /** Renews the lease. False if another node has taken it. */
  async renew({ node_id, fence }: Claim): Promise<boolean> {
    const rows = await this.request(
      `update leases set expires_at = ${NOW} + ${LEASE_SECONDS}
       where name = $1 and holder = $2 and fence = $3 returning holder`,
      [LEADER, node_id, fence],
    );
    return rows.length === 1;
  }

  /** Checks in a transaction of the content tables that a claim to the lease still holds. @throws Overtaken */
  async requireLease(transaction: Transaction<Tables>, { node_id, fence }: Claim): Promise<void> {
    const { rows } = await sql`select 1 from leases
      where name = ${LEADER} and holder = ${node_id} and fence = ${fence} and expires_at > ${sql.raw(NOW)}`.execute(
      transaction,
    );
    if (rows.length === 0) throw new Overtaken('another node leads');
  }

  /** Gives the lease up, so that another node can take it at once. */
  async release({ node_id, fence }: Claim): Promise<void> {
    await this.request('update leases set expires_at = 0 where name = $1 and holder = $2 and fence = $3', [
      LEADER,
      node_id,
      fence,
    ]);
  }

  /**
   * Adds a node, unless it must not run beside the nodes that were seen lately.
   * @param check throws if it must not
   * @returns the other nodes
   * @throws the error of `check`; StartupError `database_unreachable`, `data_newer`
   */
  async join(
    { node_id, url, release, facts, applied_seq }: NodeRow,
    check: (others: readonly SeenNode[]) => void,
  ): Promise<SeenNode[]> {
    return this.answered(
      (pool) =>
        pool.begin(async (transaction) => {
          await transaction.unsafe(
            `select ${ENDS_LEFT_TRANSACTION}, ${NOTICES_LOST_CLIENT}, pg_advisory_xact_lock(${JOIN_LOCK})`,
          );
          // A newer node may have migrated the tables since this one opened them.
          const executed: Row[] = await transaction.unsafe('select name from kysely_migration');
          requireKnown(
            'postgres',
            executed.map(({ name }) => String(name)),
          );
          const seen: Row[] = await transaction.unsafe(SEEN_NODES);
          const others = seen.map(seenNode).filter((node) => node.node_id !== node_id);
          check(others);
          await transaction.unsafe(
            `insert into nodes (node_id, url, release, facts, applied_seq, seen_at) values ($1, $2, $3, $4, $5, ${NOW})
           on conflict (node_id) do update set applied_seq = excluded.applied_seq, seen_at = excluded.seen_at`,
            [node_id, url, release, JSON.stringify(facts), applied_seq],
          );
          return others;
        }),
      JOIN_SECONDS,
    ).catch((error) => {
      throw error instanceof StartupError ? error : unreachable(this.url, error);
    });
  }

  async changeTables(isDue: () => Promise<boolean>, change: () => Promise<void>): Promise<void> {
    // The lock belongs to a session: a migration must not wait for a transaction that has read these tables.
    const pool = openPool(this.url, 1);
    try {
      await pool.unsafe(`select ${NOTICES_LOST_CLIENT}, pg_advisory_lock(${JOIN_LOCK})`);
      if (!(await isDue())) return;
      const [{ is_there }]: Row[] = await pool.unsafe("select to_regclass('nodes') is not null as is_there");
      const [other] = is_there === true ? [...(await pool.unsafe(SEEN_NODES))].map(seenNode) : [];
      if (other !== undefined) throw tablesDiffer(other);
      await change();
    } finally {
      leave(pool);
    }
  }

  /** Stores that a node is running. False if it counts as stopped: then it must `join` again. */
  async seen(node_id: string, applied_seq: number): Promise<boolean> {
    const rows = await this.request(
      `update nodes set applied_seq = $2, seen_at = ${NOW}
       where node_id = $1 and seen_at > ${NOW} - ${SEEN_SECONDS} returning node_id`,
      [node_id, applied_seq],
    );
    return rows.length === 1;
  }

  async left(node_id: string): Promise<void> {
    await this.request('delete from nodes where node_id = $1', [node_id]);
  }

  /** The nodes that were seen lately, and one that leads in any case. */
  async nodes(): Promise<SeenNode[]> {
    await this.request(`delete from nodes where seen_at < ${NOW} - ${FORGOTTEN_SECONDS}`, []);
    return (await this.request(SEEN_NODES, [])).map(seenNode);
  }

  /** Whether the tables of wallets exist. */
  async hasWallets(): Promise<boolean> {
    const rows = await this.request(
      `select 1 as one where to_regclass('${SCHEMAS.wallets}.kysely_migration') is not null`,
      [],
    );
    return rows.length === 1;
  }

  /** Ends every open question. */
  close(): void {
    leave(this.pool);
  }

  private request(query: string, values: unknown[]): Promise<Row[]> {
    return this.answered(async (pool) => [...(await pool.unsafe(query, values))]);
  }

  private async answered<T>(work: (pool: SQL) => Promise<T>, seconds = ANSWER_SECONDS): Promise<T> {
    const { pool } = this;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.timers.after(seconds, () =>
      reject(new Error(`the database has not answered for ${seconds} s`)),
    );
    try {
      return await Promise.race([work(pool), late]);
    } catch (error) {
      if (this.pool === pool) this.pool = openPool(this.url, 1);
      leave(pool);
      throw error;
    } finally {
      cancel();
    }
  }
}

/** As tests may make it, too. */
export type Lease = Pick<DatabaseLease, keyof DatabaseLease>;

function tablesDiffer({ url, release }: SeenNode): StartupError {
  return new StartupError(
    'cluster_tables_differ',
    `the node at ${url} (release ${release}) uses the tables of an older release, which this release would change`,
    'stop all nodes, then start this release: it upgrades the tables. To go on without it, start the older release',
  );
}

type Row = Record<string, unknown>;

const SEEN_NODES = `
  select node_id, url, release, facts, applied_seq, ${NOW} - seen_at as silent_seconds,
    coalesce(expires_at > ${NOW}, false) as leads
  from nodes left join leases on holder = node_id
  where seen_at > ${NOW} - ${SEEN_SECONDS} or expires_at > ${NOW} order by node_id`;

function seenNode(row: Row): SeenNode {
  return {
    node_id: String(row.node_id),
    url: String(row.url),
    release: String(row.release),
    facts: JSON.parse(String(row.facts)) as NodeFacts,
    applied_seq: Number(row.applied_seq),
    silent_seconds: Math.max(0, Number(row.silent_seconds)),
    leads: row.leads === true,
  };
}
