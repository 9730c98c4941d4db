import type { Connection, Location } from './connection.ts';
import { openPostgres } from './postgres/connection.ts';
import { openSqlite } from './sqlite/connection.ts';

export async function openConnection(location: Location, max: number): Promise<Connection> {
  const { data, database_url, community = 'content' } = location;
  return database_url === undefined
    ? openSqlite(data, community)
    : openPostgres(database_url, max, community);
}
