import { systemTimers, type Timers } from '../clock.ts';
import type { Connection, Holder, Location, Lock } from './connection.ts';
import { openPostgres } from './postgres/connection.ts';
import { type LockMode, lockDatabase } from './postgres/lock.ts';
import { openFirstSqlite, openSqlite } from './sqlite/connection.ts';
import { lockFolder } from './sqlite/lock.ts';

/** @param max connections to a server */
export async function openConnection(location: Location, max: number): Promise<Connection> {
  const { data, database_url, community = 'content' } = location;
  return database_url === undefined
    ? openSqlite(data, community)
    : openPostgres(database_url, max, community);
}

/** Opens the first connection of this process, see `openFirstSqlite`. */
export async function openFirst(location: Location, max: number): Promise<Connection> {
  const { data, database_url, community = 'content' } = location;
  return database_url === undefined ? openFirstSqlite(data, community) : openConnection(location, max);
}

/** Takes the lock of a folder, which must exist, or of a database. @throws StartupError `data_in_use` */
export async function lockPlace(
  { data, database_url }: Location,
  holder: Holder,
  timers: Timers = systemTimers,
  mode?: LockMode,
): Promise<Lock> {
  return database_url === undefined
    ? lockFolder(data, holder)
    : lockDatabase(database_url, holder, timers, mode);
}
