import { SQL } from 'bun';
import { type CompiledQuery, Kysely, type RawBuilder, sql } from 'kysely';
import { StartupError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { CommunityName, Connection, Reading, ReadValues } from '../connection.ts';
import type { Tables, Value } from '../tables.ts';
import { backup } from './backup.ts';
import { insertBatch } from './bulk-insert.ts';
import { dialect } from './dialect.ts';
import { WRITE_LOCK } from './lock.ts';
import { Looks, leave } from './looks.ts';
import { isAnswer, noSchemas, refusal, unreachable } from './refusal.ts';
import { sweeper } from './sweep.ts';

function compiledValues(client: SQL): ReadValues {
  return async (query: CompiledQuery) =>
    (await client.unsafe(query.sql, [...query.parameters]).values()) as Value[][];
}

/** How long a server may take to let us in. */
const CONNECTION_TIMEOUT_SECONDS = 5;

/** How long queries that are under way at the end may take. */
const CLOSING_SECONDS = 5;

/** Schema of each community's tables; undefined: the one in which tables are created by default. */
const SCHEMAS: Readonly<Record<CommunityName, string | undefined>> = {
  content: undefined,
  wallets: 'feedloom_wallets',
};

/** The server ends what is read for those who wait no longer, so that its connection has room for others. */
const ENDS_WITH_PATIENCE = { statement_timeout: LIMITS.store_patience_seconds * 1000 };

/** A pool of at most `max` connections, opened when first used and kept. @param session settings of each of them */
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

/** @throws StartupError `database_unsuitable` for a database that cannot hold every text */
async function requireUnicode(client: SQL, url: string): Promise<void> {
  const [[encoding]] = await client.unsafe('show server_encoding').values();
  if (encoding === 'UTF8') return;
  const name = new URL(url).pathname.slice(1);
  throw new StartupError(
    'database_unsuitable',
    `the PostgreSQL database '${name}' keeps texts as ${encoding}; it must be UTF8, which has room for every character`,
    `create one with: create database NAME encoding 'UTF8' template template0`,
  );
}

/**
 * Begins to write: waits for others who do, and has the transaction durable when it is said to be, also where the server is set up
 * not to wait for its disk. What makes it wait for more is left as it is.
 */
const LOCK_WRITES = `
  select pg_advisory_xact_lock(${WRITE_LOCK}),
    set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)`;

async function walletsRefusal(client: SQL, url: string): Promise<StartupError | undefined> {
  const may_have = `select to_regnamespace('${SCHEMAS.wallets}') is not null
    or has_database_privilege(current_database(), 'create')`;
  const [[is_there]] = await client.unsafe(may_have).values();
  return is_there ? undefined : noSchemas(url);
}

/** By way of text: Bun.SQL encodes a parameter of a JSON type once more. */
const integersIn = (json: string): RawBuilder<number> =>
  sql<number>`(select value::bigint from json_array_elements_text(${json}::text::json))`;

/** See `Connection.reading`. */
function openReads(url: string, max: number, schema: string | undefined) {
  const client = openPool(url, max, schema, ENDS_WITH_PATIENCE);
  const db = new Kysely<Tables>({ dialect: dialect(client) });
  const reading: Reading = { db, values: compiledValues(client), integersIn };
  return { client, reading };
}

async function snapshot<T>(client: SQL, work: (read: ReadValues) => Promise<T>): Promise<T> {
  const reserved = await client.reserve();
  try {
    await reserved.unsafe('begin isolation level repeatable read read only');
    const result = await work(compiledValues(reserved));
    await reserved.unsafe('commit');
    return result;
  } finally {
    await reserved.release();
  }
}

/**
 * Connects to PostgreSQL with a pool of `max` connections, and as many that only read for those who wait.
 * @throws StartupError `database_unreachable`, `database_unsuitable`
 */
export async function openPostgres(url: string, max: number, community: CommunityName): Promise<Connection> {
  const schema = SCHEMAS[community];
  let client: SQL;
  try {
    client = openPool(url, max, schema);
    await requireUnicode(client, url);
  } catch (error) {
    throw error instanceof StartupError ? error : (refusal(url, error) ?? unreachable(url, error));
  }
  let reads = openReads(url, max, schema);
  const looks = new Looks(url);
  const db = new Kysely<Tables>({ dialect: dialect(client) });
  const renew = () => {
    leave(reads.client);
    reads = openReads(url, max, schema);
  };
  return {
    engine: 'postgres',
    schema,
    db,
    values: compiledValues(client),
    get reading() {
      return reads.reading;
    },
    snapshot: (work) => snapshot(client, work),
    lockWrites: async (transaction) => {
      await sql.raw(LOCK_WRITES).execute(transaction);
    },
    insertBatch,
    integersIn,
    sweeps_apart: true,
    sweeper: () => sweeper(client),
    refusal: (error) => refusal(url, error),
    walletsRefusal: () => walletsRefusal(client, url),
    server: { look: () => looks.look(), isAnswer, renew },
    backup: async () => backup(),
    close: async () => {
      // First, as Kysely would wait for queries for as long as they take.
      looks.close();
      await Promise.all([client, reads.client].map((pool) => pool.close({ timeout: CLOSING_SECONDS })));
      await Promise.all([db.destroy(), reads.reading.db.destroy()]);
    },
  };
}
