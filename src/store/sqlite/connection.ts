import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledQuery, Kysely, sql, type Transaction } from 'kysely';
import { reasonOf, StartupError } from '../../errors.ts';
import { preparePrivateFolder } from '../../files/private-folder.ts';
import type { CommunityName, Connection } from '../connection.ts';
import type { BackupOrder, BackupReply } from '../messages.ts';
import type { MovedTable } from '../moved-tables.ts';
import type { ReadValues } from '../reading.ts';
import { unreadableFolder } from '../refusals.ts';
import type { Tables, Value } from '../tables.ts';
import { ThreadLink } from '../thread-link.ts';
import { insertBatch } from './bulk-insert.ts';
import { dialect } from './dialect.ts';
import { dropFormerLog, leaveWithoutLog } from './former-log.ts';
import { refuseLeftOverLog } from './left-over-log.ts';
import { lockOpening, OPENING_LOCK } from './opening-lock.ts';
import { seenSince, writeSeen } from './seen.ts';

/** How long a purge waits for readers. */
const READERS_TIMEOUT_MS = 250;

/**
 * Empties the write-ahead log, which contains pages from before the purge.
 *
 * `secure_delete` overwrites freed parts of the database itself.
 * @param readers_timeout_ms how long to wait for readers, which delays writes as long
 * @returns false if a reader kept the log in use: try again
 */
function emptyLog(database: Database, readers_timeout_ms: number): boolean {
  database.run(`pragma busy_timeout = ${readers_timeout_ms}`);
  try {
    const [[busy]] = database.query('pragma wal_checkpoint(truncate)').values();
    return busy === 0;
  } finally {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Writes a consistent copy of a database to a new file, while other connections read and write.
 *
 * It runs on a thread, because a large database takes minutes and this process must still handle signals.
 * @param file both are paths
 */
async function backup(file: string, into: string): Promise<void> {
  const link = new ThreadLink<BackupOrder, BackupReply>('store/backup-worker', 'the backup');
  try {
    const reply = await link.request({ file, into });
    if (reply.type === 'failed') throw new Error(reply.reason);
  } finally {
    link.terminate();
  }
}

/** Inserts rows of any table by one prepared statement, within the open transaction. */
function insertRows(database: Database, { table, columns }: MovedTable, rows: readonly Value[][]): void {
  const names = columns.map((name) => `"${name}"`).join();
  const places = columns.map(() => '?').join();
  const statement = database.query<unknown, SQLQueryBindings[]>(
    `insert into "${table}" (${names}) values (${places})`,
  );
  for (const row of rows) statement.run(...row);
}

async function emptyTables(
  transaction: Transaction<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(transaction);
}

/** How long a statement waits for another process or thread that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

/** Prefixes of error codes. `SHMSIZE`: no room for the index of the write-ahead log. */
const FULL = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'];
const UNWRITABLE = [
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'EACCES',
  'EROFS',
  'EPERM',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
];
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

const FILE_NAMES: Readonly<Record<CommunityName, string>> = {
  content: 'feedloom.sqlite',
  wallets: 'feedloom-wallets.sqlite',
};

export function databaseFile(data: string, community: CommunityName = 'content'): string {
  return join(data, FILE_NAMES[community]);
}

/**
 * Whether a file belongs to a database by its name.
 *
 * This includes SQLite's files beside the database and the files of the opening lock.
 */
export function isDatabasePart(name: string): boolean {
  if (name === OPENING_LOCK) return true;
  return Object.values(FILE_NAMES).some((file) =>
    ['', '-wal', '-shm', '-journal'].includes(name.replace(file, '')),
  );
}

/**
 * Whether the data folder has a database of a community.
 * @throws StartupError `data_unreadable` if the folder cannot be read
 */
export function hasDatabase(data: string, community?: CommunityName): boolean {
  try {
    return statSync(databaseFile(data, community), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw unreadableFolder(data, error);
  }
}

/**
 * Creates the data folder if it is missing, and makes it private to this user.
 * @throws StartupError `disk_full`, `data_unwritable`
 */
export function prepareFolder(data: string): void {
  try {
    preparePrivateFolder(data);
  } catch (error) {
    throw openingError(data, error);
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}

function isOneOf(code: string, known: readonly string[]): boolean {
  return known.some((each) => code.startsWith(each));
}

function refusal(data: string, error: unknown): StartupError | undefined {
  const code = codeOf(error);
  if (isOneOf(code, FULL)) {
    return new StartupError(
      'disk_full',
      `the disk of the data folder '${data}' is full (${reasonOf(error)})`,
      'free some space on it and start again',
    );
  }
  if (!isOneOf(code, UNWRITABLE)) return undefined;
  return new StartupError(
    'data_unwritable',
    `the data folder '${data}' cannot be written (${reasonOf(error)})`,
    'make the folder writable for this user, or name another one with --data',
  );
}

/**
 * The error for the operator if something in the data folder cannot be opened or written.
 * @param file the database, if it is one; a folder may have one per community
 */
export function openingError(data: string, error: unknown, file?: string): StartupError {
  const known = refusal(data, error);
  if (known !== undefined) return known;
  return new StartupError(
    'data_unreadable',
    `${file === undefined ? `the data folder '${data}'` : `the database '${file}'`} cannot be opened (${reasonOf(error)})`,
    isOneOf(codeOf(error), DAMAGED)
      ? 'restore it from a backup, or name another folder with --data'
      : 'fix the cause and start again, or name another folder with --data',
  );
}

function compiledValues(database: Database): ReadValues {
  return async (query: CompiledQuery) =>
    database
      .query<unknown, SQLQueryBindings[]>(query.sql)
      .values(...(query.parameters as SQLQueryBindings[])) as Value[][];
}

function configure(database: Database): void {
  database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run('pragma journal_mode = wal');
  database.run('pragma synchronous = full');
  // Always on, because rows move between pages long before they are erased.
  database.run('pragma secure_delete = on');
  database.run('pragma temp_store = memory');
}

/** Reads snapshots of a file. A connection is kept for the next one, because opening it takes as long as a short read. */
class Snapshots {
  private idle: Database | undefined;

  constructor(private readonly file: string) {}

  async read<T>(work: (read: ReadValues) => Promise<T>): Promise<T> {
    const database = this.idle ?? this.open();
    this.idle = undefined;
    try {
      database.run('begin');
      const result = await work(compiledValues(database));
      database.run('commit');
      this.close();
      this.idle = database;
      return result;
    } finally {
      if (this.idle !== database) database.close();
    }
  }

  close(): void {
    this.idle?.close();
    this.idle = undefined;
  }

  private open(): Database {
    const database = new Database(this.file, { readonly: true });
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  }
}

function openDatabase(data: string, file: string): Database {
  let database: Database | undefined;
  try {
    database = new Database(file, { create: true, readwrite: true });
    // SQLite opens an unwritable file read-only, and would fail only at the first write.
    accessSync(file, constants.W_OK);
    configure(database);
    return database;
  } catch (error) {
    database?.close();
    throw openingError(data, error, file);
  }
}

/**
 * Opens the first connection of this process.
 *
 * Only the first may inspect the file. Closing any descriptor of it drops all SQLite locks of the process. If the
 * database was restored over another one, the other's write-ahead log is removed, or refused. The opening lock lets
 * only one process do this, so a leftover log belongs to no running process.
 */
export function openFirstSqlite(data: string, community: CommunityName): Connection {
  let entry: Database | undefined;
  try {
    const databases = [databaseFile(data), databaseFile(data, 'wallets')];
    entry = lockOpening(data, databases);
    const file = databaseFile(data, community);
    dropFormerLog(file);
    refuseLeftOverLog(file);
    return openSqlite(data, community);
  } catch (error) {
    throw error instanceof StartupError ? error : openingError(data, error);
  } finally {
    entry?.close();
  }
}

/**
 * Opens SQLite and creates the database if it is missing. The folder must exist.
 * @throws StartupError `disk_full`, `data_unwritable`, `data_unreadable`
 */
export function openSqlite(data: string, community: CommunityName): Connection {
  const file = databaseFile(data, community);
  const database = openDatabase(data, file);
  const db = new Kysely<Tables>({ dialect: dialect(database) });
  const snapshots = new Snapshots(file);
  return {
    engine: 'sqlite',
    schema: undefined,
    db,
    values: compiledValues(database),
    integersIn: (json) => sql<number>`(select value from json_each(${json}))`,
    seenSince,
    snapshot: (work) => snapshots.read(work),
    // Each transaction begins with SQLite's only write lock.
    lockWrites: async () => {},
    insertBatch: async (_, batch) => insertBatch(database, batch),
    insertRows: async (_, table, rows) => insertRows(database, table, rows),
    emptyTables,
    writeSeen: async (_, writes) => writeSeen(database, writes),
    sweeps_concurrently: false,
    sweeper: () => async () => emptyLog(database, READERS_TIMEOUT_MS),
    logBytes: () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    shrinkLog: () => emptyLog(database, 0),
    refusal: (error) => refusal(data, error),
    walletsRefusal: async () => undefined,
    backup: (into) => backup(file, into),
    close: async () => {
      snapshots.close();
      leaveWithoutLog(database);
      await db.destroy();
      database.close(true);
    },
  };
}
