import type { Location } from './connection.ts';
import type { Inspection } from './inspection.ts';
import { inspectPostgres } from './postgres/inspect.ts';
import { inspectSqlite } from './sqlite/inspect.ts';

/**
 * Looks at the data without changing it. A service may run meanwhile.
 * @param deep checks every page of SQLite's files, which reads them completely
 * @throws StartupError `database_unreachable`, `no_data`; errors of the engine
 */
export function inspectStore({ data, database_url }: Location, deep: boolean): Promise<Inspection> {
  return database_url === undefined ? inspectSqlite(data, deep) : inspectPostgres(database_url);
}
