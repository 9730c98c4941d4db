import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { reasonOf, StartupError } from '../errors.ts';
import type { Connection, EngineName } from './connection.ts';
import { type FillPlan, type FillProgress, fillSeen, planOfFilling } from './fill-seen.ts';
import { migrations, SEEN_FILLED } from './migrations.ts';

export async function isNew(connection: Pick<Connection, 'db' | 'engine'>): Promise<boolean> {
  const { db, engine } = connection;
  if (engine === 'postgres') {
    const { rows } = await sql`select 1 where to_regclass('meta') is not null`.execute(db);
    return rows.length === 0;
  }
  const tables = await db.introspection.getTables();
  return !tables.some((entry) => entry.name === 'meta');
}

type Migrated = Pick<Connection, 'db' | 'engine' | 'schema'>;

function migratorOf(connection: Migrated): Migrator {
  return new Migrator({
    db: connection.db,
    migrationTableSchema: connection.schema,
    provider: { getMigrations: async () => migrations(connection.engine) },
  });
}

/**
 * Whether existing data has the tables of this version. False if an older version wrote it.
 * @throws StartupError `data_foreign` for tables of other software, `data_newer`
 */
export async function isCurrent(connection: Migrated): Promise<boolean> {
  const known = await migratorOf(connection).getMigrations();
  const executed = known.filter(({ executedAt }) => executedAt !== undefined);
  if (executed.length === 0) {
    throw new StartupError(
      'data_foreign',
      'there are tables in the database that feedloom did not create',
      'name a database that only feedloom uses; the first start of the service creates what it needs',
    );
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(connection.db);
  requireKnown(
    connection.engine,
    rows.map(({ name }) => name),
  );
  return executed.length === known.length;
}

/** Requires that this version knows all migrations that were executed. */
export function requireKnown(engine: EngineName, executed: readonly string[]): void {
  const known = migrations(engine);
  if (executed.every((name) => Object.hasOwn(known, name))) return;
  throw new StartupError(
    'data_newer',
    'the data was written by a newer version of feedloom',
    'use that version, or restore a backup that this version made',
  );
}

/** Decides whether older tables may be migrated, which other nodes may be using. */
export interface TableChanges {
  /**
   * Runs `change` if it `isDue`, while no node can join.
   * @throws StartupError `cluster_tables_differ` while other nodes run
   */
  changeTables(isDue: () => Promise<boolean>, change: () => Promise<void>): Promise<void>;
}

/**
 * Creates the tables of this version, or migrates older ones.
 * @param changes whether older tables may be migrated, or what decides it
 * @param onProgress see `OnUpgrade`
 * @throws StartupError `data_outdated` if they may not, `cluster_tables_differ`, `migration_failed`, `data_foreign`,
 * `data_newer`
 */
export async function prepareTables(
  connection: Connection,
  is_new: boolean,
  changes: boolean | TableChanges,
  onProgress: OnUpgrade = () => {},
): Promise<void> {
  if (is_new) return migrate(connection);
  if (await isCurrent(connection)) return;
  const upgrade = () => migrate(connection, (migrator) => fillBefore(connection, migrator, onProgress));
  if (typeof changes === 'object') {
    // Another node may migrate them at this moment.
    const isDue = async () => !(await isCurrent(connection));
    return changes.changeTables(isDue, upgrade);
  }
  if (changes) return upgrade();
  throw new StartupError(
    'data_outdated',
    'the data was written by an older version of feedloom',
    'start feedloom serve of this version on it once',
  );
}

/** Receives the progress of what takes long, at each step. */
export type OnUpgrade = (progress: FillProgress) => void;

/** Runs `fillSeen` where it belongs, unless it was finished before. */
async function fillBefore(connection: Connection, migrator: Migrator, onProgress: OnUpgrade): Promise<void> {
  const known = await migrator.getMigrations();
  const at = known.findIndex(({ name }) => name === SEEN_FILLED);
  if (known[at].executedAt !== undefined) return;
  const { error } = await migrator.migrateTo(known[at - 1].name);
  if (error !== undefined) throw error;
  await fillSeen(connection, onProgress);
}

/**
 * Migrates the tables to this version of the program.
 * @param prepare migrates as far as it needs before
 * @throws StartupError `migration_failed`, known errors of the engine
 */
export async function migrate(
  connection: Connection,
  prepare: (migrator: Migrator) => Promise<void> = async () => {},
): Promise<void> {
  try {
    const migrator = migratorOf(connection);
    await prepare(migrator);
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  } catch (error) {
    throw (
      connection.refusal(error) ??
      new StartupError(
        'migration_failed',
        `the database cannot be brought to this version (${reasonOf(error)})`,
        'fix the cause, or name a database that only feedloom uses; the existing data is unchanged',
      )
    );
  }
}

/** What an upgrade of older data does. */
export interface UpgradePlan {
  /** Names of the migrations that it runs. */
  migrations: string[];
  /** Absent if `seen` is filled. */
  filling?: FillPlan;
}

/** Reads what an upgrade would do. Changes nothing. @throws as `isCurrent` */
export async function upgradePlan(connection: Connection): Promise<UpgradePlan> {
  await isCurrent(connection);
  const known = await migratorOf(connection).getMigrations();
  const migrations = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  return migrations.includes(SEEN_FILLED)
    ? { migrations, filling: await planOfFilling(connection) }
    : { migrations };
}
