import type { SQL } from 'bun';
import { aheadBy, systemClock } from '../../clock.ts';
import { StartupError } from '../../errors.ts';
import type { CommunityName } from '../connection.ts';
import { type InspectedCommunity, inspectCommunity, type PostgresInspection } from '../inspection.ts';
import { noData } from '../refusals.ts';
import { SCHEMAS } from './connection.ts';
import { holderOfDatabase } from './lock.ts';
import { openPool } from './pool.ts';
import { readingBy } from './reading.ts';
import { refusal, unreachable } from './refusal.ts';

/** Settings by name, the open connections of clients, and the server's time. */
const SERVER = `select
  current_setting('server_version'), current_setting('server_version_num')::double precision,
  current_setting('server_encoding'), current_setting('synchronous_commit'),
  (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int)::double precision,
  (select count(*) from pg_stat_activity where backend_type = 'client backend')::double precision,
  extract(epoch from clock_timestamp())::double precision`;

export async function inspectPostgres(url: string): Promise<PostgresInspection> {
  const client = openPool(url, 1);
  try {
    const server = await inspectServer(client);
    const communities: InspectedCommunity[] = [];
    for (const [community, schema] of Object.entries(SCHEMAS)) {
      const inspected = await inspectSchema(url, schema, community as CommunityName);
      if (inspected !== undefined) communities.push(inspected);
    }
    if (communities.length === 0) throw noData({ data: '', database_url: url });
    return { engine: 'postgres', ...server, holder: await holderOfDatabase(client), communities };
  } catch (error) {
    throw error instanceof StartupError ? error : (refusal(url, error) ?? unreachable(url, error));
  } finally {
    await client.close({ timeout: 0 });
  }
}

type Server = Omit<PostgresInspection, 'engine' | 'holder' | 'communities'>;

async function inspectServer(client: SQL): Promise<Server> {
  // Opens the connection, which may take long, before the clocks are compared.
  await client.unsafe('select 1');
  const before = systemClock.now();
  const [row] = await client.unsafe(SERVER).values();
  const [version, version_number, encoding, synchronous_commit, connections_max, connections_open, time] =
    row;
  return {
    version,
    version_number,
    encoding,
    synchronous_commit,
    connections_max,
    connections_open,
    clock_ahead_seconds: aheadBy(time, before, systemClock.now()),
  };
}

async function inspectSchema(
  url: string,
  schema: string | undefined,
  community: CommunityName,
): Promise<InspectedCommunity | undefined> {
  const client = openPool(url, 1, schema);
  try {
    return await inspectCommunity({ ...readingBy(client), engine: 'postgres', schema }, community);
  } finally {
    await client.close({ timeout: 0 });
  }
}
