import { type Kysely, sql, type Transaction } from 'kysely';
import type { Connection } from './connection.ts';
import type { Tables } from './tables.ts';

/**
 * Takes out for good what erasures and deletions have left in the tables. There is no secondary index, so
 * every step reads whole tables; keys to be removed are collected in temporary tables first.
 *
 * Keys of an erased user and of their items are never given again, so all their rows go, whatever their
 * `seq`. The erasure itself stays as a marker: it holds a number whose name is gone.
 */

interface PurgeTables extends Tables {
  purged_users: { user_key: number; erased_at: number };
  authored_items: { item_key: number; user_key: number; erased_at: number };
  purged_items: { item_key: number };
  deleted_items: { item_key: number; deleted_at: number };
}

const TEMPORARY = ['purged_users', 'authored_items', 'purged_items', 'deleted_items'] as const;

type Work = Transaction<PurgeTables>;

async function collectUsers(work: Work): Promise<void> {
  await work.schema
    .createTable('purged_users')
    .temporary()
    .as(
      work
        .selectFrom('erasures')
        .select((select) => ['user_key', select.fn.max('seq').as('erased_at')])
        .where('purged', '=', 0)
        .groupBy('user_key'),
    )
    .execute();
}

/** Items whose latest version before the erasure is by the erased user. */
async function collectItems(work: Work): Promise<void> {
  const everAuthored = work
    .selectFrom('items')
    .innerJoin('purged_users', 'purged_users.user_key', 'items.author_key')
    .whereRef('items.seq', '<', 'purged_users.erased_at')
    .select(['items.item_key', 'purged_users.user_key', 'purged_users.erased_at'])
    .distinct();
  await work.schema.createTable('authored_items').temporary().as(everAuthored).execute();
  const latest = work
    .selectFrom('items')
    .innerJoin('authored_items', 'authored_items.item_key', 'items.item_key')
    .whereRef('items.seq', '<', 'authored_items.erased_at')
    .groupBy(['authored_items.item_key', 'authored_items.user_key'])
    .select((select) => ['authored_items.user_key', select.fn.max('items.seq').as('seq')]);
  const stillTheirs = work
    .selectFrom('items')
    .innerJoin(latest.as('latest'), 'latest.seq', 'items.seq')
    .whereRef('items.author_key', '=', 'latest.user_key')
    .select('items.item_key');
  // A deleted item whose versions an earlier purge has removed: the deletion remembers the author.
  const deletedBefore = work
    .selectFrom('deletions')
    .where('author_key', 'in', work.selectFrom('purged_users').select('user_key'))
    .where('item_key', 'not in', work.selectFrom('items').select('item_key'))
    .select('item_key');
  await work.schema.createTable('purged_items').temporary().as(stillTheirs.union(deletedBefore)).execute();
}

async function removeErased(work: Work): Promise<void> {
  const users = work.selectFrom('purged_users').select('user_key');
  const items = work.selectFrom('purged_items').select('item_key');
  await work
    .deleteFrom('names')
    .where((where) =>
      where.or([
        where.and([where('space', '=', 0), where('key', 'in', users)]),
        where.and([where('space', '=', 1), where('key', 'in', items)]),
      ]),
    )
    .execute();
  await work
    .deleteFrom('interactions')
    .where((where) => where.or([where('user_key', 'in', users), where('item_key', 'in', items)]))
    .execute();
  for (const table of ['follows', 'blocks'] as const) {
    await work
      .deleteFrom(table)
      .where((where) => where.or([where('user_key', 'in', users), where('target_key', 'in', users)]))
      .execute();
  }
  for (const table of ['users', 'impressions'] as const) {
    await work.deleteFrom(table).where('user_key', 'in', users).execute();
  }
  for (const table of ['items', 'engagement', 'deletions'] as const) {
    await work.deleteFrom(table).where('item_key', 'in', items).execute();
  }
}

/** Former versions of deleted items; the deletion keeps the author in case they are erased later. */
async function removeDeleted(work: Work): Promise<void> {
  await work.schema
    .createTable('deleted_items')
    .temporary()
    .as(
      work
        .selectFrom('deletions')
        .select((select) => ['item_key', select.fn.max('seq').as('deleted_at')])
        .groupBy('item_key'),
    )
    .execute();
  const latest = work
    .selectFrom('items')
    .innerJoin('deleted_items', 'deleted_items.item_key', 'items.item_key')
    .whereRef('items.seq', '<', 'deleted_items.deleted_at')
    .groupBy('items.item_key')
    .select((select) => select.fn.max('items.seq').as('seq'));
  const authors = await work
    .selectFrom('items')
    .where('seq', 'in', latest)
    .where('author_key', '>=', 0)
    .select(['item_key', 'author_key'])
    .execute();
  for (const { item_key, author_key } of authors) {
    await work
      .updateTable('deletions')
      .set({ author_key })
      .where('seq', '=', latestDeletion(work, item_key))
      .execute();
  }
  for (const table of ['items', 'engagement'] as const) {
    await work.deleteFrom(table).where('seq', 'in', supersededRows(work, table)).execute();
  }
}

function latestDeletion(work: Kysely<PurgeTables>, item_key: number) {
  return work.selectFrom('deleted_items').select('deleted_at').where('item_key', '=', item_key);
}

function supersededRows(work: Kysely<PurgeTables>, table: 'items' | 'engagement') {
  return work
    .selectFrom(table)
    .innerJoin('deleted_items', 'deleted_items.item_key', `${table}.item_key`)
    .whereRef(`${table}.seq`, '<', 'deleted_items.deleted_at')
    .select(`${table}.seq`);
}

/**
 * One transaction: after a crash either all of it or nothing has happened, and it can be run again at any
 * time. Must not run while a message is being written: it belongs to the writer.
 */
export async function purge(connection: Connection): Promise<void> {
  await connection.db.transaction().execute(async (transaction) => {
    await connection.lockWrites(transaction);
    const work: Work = transaction.withTables<Pick<PurgeTables, (typeof TEMPORARY)[number]>>();
    // Takes SQLite's write lock before anything is read.
    await work.updateTable('erasures').set({ purged: 0 }).where('purged', '=', 0).execute();
    await collectUsers(work);
    await collectItems(work);
    await removeErased(work);
    await removeDeleted(work);
    await work.updateTable('erasures').set({ purged: 1 }).where('purged', '=', 0).execute();
    for (const table of TEMPORARY) await sql`drop table ${sql.table(table)}`.execute(work);
  });
  await connection.sweep();
}
