import type { SQL } from 'bun';
import { sql, type Transaction } from 'kysely';
import { StartupError } from '../../errors.ts';
import type { CommunityName, Connection } from '../connection.ts';
import type { MovedTable } from '../moved-tables.ts';
import { perReadPool } from '../read-queue.ts';
import type { ReadValues } from '../reading.ts';
import type { Tables, Value } from '../tables.ts';
import { backup } from './backup.ts';
import { insertBatch } from './bulk-insert.ts';
import { Pings } from './pings.ts';
import { openPool } from './pool.ts';
import { compiledValues, RenewablePool, readingBy } from './reading.ts';
import { isAnswer, noSchemas, refusal, unreachable } from './refusal.ts';
import { writeSeen } from './seen.ts';
import { NOTICES_LOST_READER } from './session.ts';
import { sweeper } from './sweep.ts';
import { lockWrites } from './write-lock.ts';

/** The text that the server reads a value from. JSON numbers would lose the sign of -0. */
function textOf(value: Value): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Inserts rows of any table. One text parameter holds all rows, so that the statement is prepared once per table. */
async function insertRows(
  transaction: Transaction<Tables>,
  { table, columns }: MovedTable,
  rows: readonly Value[][],
): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at], textOf(value)])));
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) select ${names}
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(objects)}::text::json)`.execute(
    transaction,
  );
}

async function emptyTables(
  transaction: Transaction<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(transaction);
}

/** Seconds that open queries get to finish when the connection closes. */
const CLOSING_SECONDS = 5;

/** Connections per read pool. */
const READ_POOL_CONNECTIONS = 3;

/** Schema of each community's tables. Undefined is the default schema of the role. */
export const SCHEMAS: Readonly<Record<CommunityName, string | undefined>> = {
  content: undefined,
  wallets: 'feedloom_wallets',
};

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

async function walletsRefusal(client: SQL, url: string): Promise<StartupError | undefined> {
  const may_have = `select to_regnamespace('${SCHEMAS.wallets}') is not null
    or has_database_privilege(current_database(), 'create')`;
  const [[is_there]] = await client.unsafe(may_have).values();
  return is_there ? undefined : noSchemas(url);
}

/** Closes the transaction in every case, because the server keeps old rows while a snapshot is open. */
async function snapshot<T>(client: SQL, work: (read: ReadValues) => Promise<T>): Promise<T> {
  const reserved = await client.reserve();
  try {
    await reserved.unsafe(`select ${NOTICES_LOST_READER}`);
    await reserved.unsafe('begin isolation level repeatable read read only');
    const result = await work(compiledValues(reserved));
    await reserved.unsafe('commit');
    return result;
  } finally {
    await reserved.release();
  }
}

/** Connects to PostgreSQL with a pool of `max` connections, and further ones for reads with a timeout. */
export async function openPostgres(url: string, max: number, community: CommunityName): Promise<Connection> {
  const schema = SCHEMAS[community];
  let client: SQL;
  try {
    client = openPool(url, max, schema);
    await requireUnicode(client, url);
  } catch (error) {
    throw error instanceof StartupError ? error : (refusal(url, error) ?? unreachable(url, error));
  }
  const pools = perReadPool(() => new RenewablePool(url, READ_POOL_CONNECTIONS, schema));
  const pings = new Pings(url);
  const reading = readingBy(client);
  return {
    engine: 'postgres',
    schema,
    ...reading,
    snapshot: (work) => snapshot(client, work),
    lockWrites: (transaction, patience_seconds) => lockWrites(url, transaction, patience_seconds),
    insertBatch,
    insertRows,
    emptyTables,
    writeSeen,
    sweeps_concurrently: true,
    sweeper: () => sweeper(client),
    logBytes: () => undefined,
    shrinkLog: () => true,
    refusal: (error) => refusal(url, error),
    walletsRefusal: () => walletsRefusal(client, url),
    server: { ping: () => pings.ping(), isAnswer, pools },
    backup: async () => backup(),
    close: async () => {
      // Close these first, because Kysely waits for open queries without a limit.
      pings.close();
      const closing = { timeout: CLOSING_SECONDS };
      await Promise.all([client, ...Object.values(pools)].map((pool) => pool.close(closing)));
      await reading.db.destroy();
    },
  };
}
