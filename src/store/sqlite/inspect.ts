import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { Kysely } from 'kysely';
import { StartupError } from '../../errors.ts';
import type { CommunityName } from '../connection.ts';
import {
  type InspectedCommunity,
  type InspectedFile,
  inspectCommunity,
  type SqliteInspection,
} from '../inspection.ts';
import { noData } from '../refusals.ts';
import type { Tables } from '../tables.ts';
import { databaseFile, hasDatabase, openingError } from './connection.ts';
import { dialect } from './dialect.ts';
import { formerLog } from './former-log.ts';
import { refuseLeftOverLog } from './left-over-log.ts';
import { holderOfFolder } from './lock.ts';

const COMMUNITIES: readonly CommunityName[] = ['content', 'wallets'];
/** How long a statement waits for a process that opens or closes the database. */
const BUSY_TIMEOUT_MS = 5_000;
/** Maximum number of faults that a check lists. */
const FAULTS_MAX = 3;

/** Looks at the databases of a data folder by connections that cannot write. See `inspectStore`. */
export async function inspectSqlite(data: string, deep: boolean): Promise<SqliteInspection> {
  const there = COMMUNITIES.filter((community) => hasDatabase(data, community));
  if (there.length === 0) throw noData({ data });
  const files: InspectedFile[] = [];
  const communities: InspectedCommunity[] = [];
  for (const community of there) {
    const { inspected, ...file } = await inspectFile(data, community, deep);
    files.push(file);
    if (inspected !== undefined) communities.push(inspected);
  }
  return { engine: 'sqlite', version: sqliteVersion(), holder: holderOfFolder(data), files, communities };
}

async function inspectFile(
  data: string,
  community: CommunityName,
  deep: boolean,
): Promise<InspectedFile & { inspected?: InspectedCommunity }> {
  const file = databaseFile(data, community);
  const sizes = { file, bytes: sizeOf(file), log_bytes: sizeOf(`${file}-wal`) };
  if (formerLog(file).length > 0)
    return { ...sizes, has_former_log: true, journal_mode: '', damage: undefined };
  refuseLeftOverLog(file);
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const journal_mode = pragma(database, 'journal_mode')[0];
    const damage = deep ? damageOf(database) : undefined;
    const found = { ...sizes, has_former_log: false, journal_mode, damage };
    if (damage !== undefined && damage.length > 0) return found;
    const db = new Kysely<Tables>({ dialect: dialect(database) });
    return {
      ...found,
      inspected: await inspectCommunity({ db, engine: 'sqlite', schema: undefined }, community),
    };
  } catch (error) {
    throw error instanceof StartupError ? error : openingError(data, error, file);
  } finally {
    database?.close();
  }
}

function damageOf(database: Database): string[] {
  return pragma(database, `quick_check(${FAULTS_MAX})`).filter((line) => line !== 'ok');
}

function pragma(database: Database, name: string): string[] {
  return database
    .query<unknown, []>(`pragma ${name}`)
    .values()
    .map(([value]) => String(value));
}

function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.query<unknown, []>('select sqlite_version()').values()[0][0]);
  } finally {
    database.close();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
