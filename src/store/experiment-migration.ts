import { type Kysely, sql } from 'kysely';
import { NONE } from '../model/key.ts';
import { restoredText } from '../model/storable-text.ts';
import { viewerHash } from '../seen/seen-store.ts';
import type { EngineName } from './connection.ts';
import { openArms } from './experiments.ts';
import type { WithImpressions } from './former-impressions.ts';
import { unpackedKeys } from './rows.ts';
import { storedSecret } from './secrets.ts';
import { createChangeTables, SQL_TYPES } from './sql-types.ts';
import { TABLE_OF, type Tables } from './tables.ts';

/** Named users that are read at once, with their pages and outcomes. */
const USERS_READ = 1_000;
const ROWS_WRITTEN = 500;

/** Tables as they were before this migration. */
type FormerTables = Pick<WithImpressions, 'impressions'> & {
  former_outcomes: {
    seq: number;
    user_key: number;
    arm: number;
    event_type: number;
    timestamp: number;
    applied_at: number;
  };
};

/** The former outcomes name a user and an arm, but no item. */
export async function createOutcomes(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const columns = [
    { name: 'user_key', type: 'key' },
    { name: 'arm', type: 'key' },
    { name: 'event_type', type: 'code' },
    { name: 'timestamp', type: 'time' },
  ] as const;
  await createChangeTables(db, engine, [{ table: 'outcomes', columns }]);
}

/**
 * Creates the rows that results are computed from, and fills them for running experiments from impressions and former
 * outcomes. Those of users without a name are of erased ones and are left out.
 */
export async function moveExperimentRows(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  await db.schema.alterTable('outcomes').renameTo('former_outcomes').execute();
  await createChangeTables(db as Kysely<unknown>, engine, [TABLE_OF.outcome]);
  await db.schema
    .createIndex('outcomes_by_viewer')
    .on('outcomes')
    .columns(['arm', 'viewer', 'seq'])
    .execute();
  await createPages(db, engine);
  const open = await openArms(db);
  if (open.length > 0) {
    await db.schema.createIndex('former_outcomes_by_user').on('former_outcomes').column('user_key').execute();
    await fill(db, open);
  }
  await db.schema.dropTable('former_outcomes').execute();
}

async function createPages(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { key, count, time, code, keys: bytes } = SQL_TYPES[engine];
  const create = db.schema
    .createTable('experiment_pages')
    .addColumn('arm', sql.raw(key), (column) => column.notNull())
    .addColumn('viewer', sql.raw(bytes), (column) => column.notNull())
    .addColumn('number', sql.raw(count), (column) => column.notNull())
    .addColumn('timestamp', sql.raw(time), (column) => column.notNull())
    .addColumn('is_short', sql.raw(code), (column) => column.notNull())
    .addColumn('items', sql.raw(bytes), (column) => column.notNull())
    .addColumn('teams', sql.raw(bytes), (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_pages_key', ['arm', 'viewer', 'number']);
  // In the order of the key, because it is always read in it.
  await (engine === 'sqlite' ? create.modifyEnd(sql`without rowid`) : create).execute();
}

async function fill(db: Kysely<Tables>, open: readonly number[]): Promise<void> {
  const key = await storedSecret(db, 'seen');
  for (let after = 0; ; ) {
    const names = await db
      .selectFrom('names')
      .select(['seq', 'key', 'id'])
      .where('seq', '>', after)
      .where('space', '=', 0)
      .orderBy('seq')
      .limit(USERS_READ)
      .execute();
    const viewers = new Map(names.map((name) => [name.key, viewerHash(key, restoredText(name.id))]));
    if (viewers.size > 0) await fillFor(db, open, viewers);
    if (names.length < USERS_READ) return;
    after = Number(names[names.length - 1].seq);
  }
}

async function fillFor(
  db: Kysely<Tables>,
  open: readonly number[],
  viewers: ReadonlyMap<number, string>,
): Promise<void> {
  const users = [...viewers.keys()];
  const viewerOf = (user: number) => Buffer.from(viewers.get(user) ?? '', 'hex');
  const with_former = db.withTables<FormerTables>();
  const impressions = await with_former
    .selectFrom('impressions')
    .select(['seq', 'user_key', 'timestamp', 'items', 'arm', 'is_short'])
    .where('user_key', 'in', users)
    .where('arm', 'in', open)
    .orderBy('seq')
    .execute();
  const former = await with_former
    .selectFrom('former_outcomes')
    .selectAll()
    .where('user_key', 'in', users)
    .where('arm', 'in', open)
    .orderBy('seq')
    .execute();
  const of_viewer = Map.groupBy(impressions, ({ user_key, arm }) => `${user_key} ${arm}`);
  const pages = impressions.map(({ seq, user_key, ...page }) => {
    return { ...page, viewer: viewerOf(user_key), number: Number(seq), teams: Buffer.alloc(0) };
  });
  const outcomes = former.map(({ user_key, ...outcome }) => {
    // It followed a page within the window, and the item is not known. One of the last page before it counts alike.
    const page = of_viewer
      .get(`${user_key} ${outcome.arm}`)
      ?.findLast(({ timestamp }) => Math.floor(timestamp) <= outcome.timestamp);
    const item_key = page === undefined ? NONE : (unpackedKeys(page.items)[0] ?? NONE);
    return { ...outcome, viewer: viewerOf(user_key), item_key };
  });
  for (let at = 0; at < pages.length; at += ROWS_WRITTEN)
    await db
      .insertInto('experiment_pages')
      .values(pages.slice(at, at + ROWS_WRITTEN))
      .execute();
  for (let at = 0; at < outcomes.length; at += ROWS_WRITTEN)
    await db
      .insertInto('outcomes')
      .values(outcomes.slice(at, at + ROWS_WRITTEN))
      .execute();
}
