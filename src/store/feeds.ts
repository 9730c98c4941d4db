import type { Kysely, Transaction } from 'kysely';
import { type Edit, writeAudit } from './audit.ts';
import type { Tables } from './tables.ts';

/** A saved feed as it is stored; what its object means is the feed room's business. */
export interface StoredFeed {
  /** `feed_<n>` */
  feed_id: string;
  account: string;
  /** 1 when created, one more at each change. */
  revision: number;
  /** seconds */
  created_at: number;
  /** seconds */
  updated_at: number;
  /** JSON text */
  content: string;
}

/** A change of the saved feeds, as it travels to the writer's thread. */
export type FeedWrite = Edit &
  (
    | { action: 'create'; account: string; content: string }
    | { action: 'replace'; feed_id: string; revision: number; content: string }
    | { action: 'delete'; feed_id: string }
    | { action: 'restore'; feed: StoredFeed }
  );

const AUDITED = {
  create: 'feed.create',
  replace: 'feed.change',
  delete: 'feed.delete',
  restore: 'feed.import',
} as const;

/** Saved feeds. Only the serving process writes them. Writes are durable when they resolve. */
export interface FeedStore {
  /** Every feed that is not deleted, oldest first. */
  all(): Promise<StoredFeed[]>;
  /** A new feed under the next id: one more than any id that was ever given. @throws ServiceError */
  create(account: string, content: string, edit: Edit): Promise<StoredFeed>;
  /**
   * New content for a feed that is at `revision`; undefined when it is not there or at another one.
   * @throws ServiceError
   */
  replace(feed_id: string, revision: number, content: string, edit: Edit): Promise<StoredFeed | undefined>;
  /** Takes the feed and its content away, not its id; false when it is not there. @throws ServiceError */
  delete(feed_id: string, edit: Edit): Promise<boolean>;
  /**
   * A feed as it was stored elsewhere, with its id, account, revision and times; ids given afterwards are
   * higher.
   * @returns false when nothing changed: the id is here at this revision or a later one, is another
   * account's, or was given and deleted; or id or revision leave no room for what comes after
   * @throws ServiceError
   */
  restore(feed: StoredFeed, edit: Edit): Promise<boolean>;
}

const FEED_ID = /^feed_([1-9]\d{0,9})$/;
/** The column holds 32 bits, and so does that of revisions. */
const FEED_NUMBER_MAX = 2 ** 31 - 1;
/**
 * Of feeds from elsewhere: 147 million numbers are left for those that are created afterwards, and as many revisions
 * for their changes.
 */
export const RESTORED_NUMBER_MAX = 2_000_000_000;
export const RESTORED_REVISION_MAX = 2_000_000_000;

/** The `n` of `feed_<n>`; undefined for any other text. */
function feedNumber(feed_id: string): number | undefined {
  const number = Number(FEED_ID.exec(feed_id)?.[1]);
  return number <= FEED_NUMBER_MAX ? number : undefined;
}

/** Whether a feed from elsewhere can have this id. */
export function isRestorableId(text: string): boolean {
  const number = feedNumber(text);
  return number !== undefined && number <= RESTORED_NUMBER_MAX;
}

const COLUMNS = ['feed_number', 'account', 'revision', 'created_at', 'updated_at', 'content'] as const;

type Row = Pick<Tables['feeds'], (typeof COLUMNS)[number]>;

function storedFeed({ feed_number, ...row }: Row): StoredFeed {
  return { feed_id: `feed_${feed_number}`, ...row };
}

async function feedAt(db: Kysely<Tables>, feed_number: number): Promise<StoredFeed> {
  const query = db.selectFrom('feeds').select(COLUMNS).where('feed_number', '=', feed_number);
  return storedFeed(await query.executeTakeFirstOrThrow());
}

/** The next number. */
async function countUp(transaction: Transaction<Tables>): Promise<number> {
  await transaction
    .updateTable('meta')
    .set((value) => ({
      value: value.cast<string>(value(value.cast<number>('value', 'integer'), '+', value.lit(1)), 'text'),
    }))
    .where('name', '=', 'highest_feed')
    .execute();
  const row = await transaction
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'highest_feed')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** Leaves no number up to this one to be given. */
async function countTo(transaction: Transaction<Tables>, feed_number: number): Promise<void> {
  await transaction
    .updateTable('meta')
    .set({ value: String(feed_number) })
    .where('name', '=', 'highest_feed')
    .where((value) => value(value.cast<number>('value', 'integer'), '<', feed_number))
    .execute();
}

/** See `FeedStore.restore`; undefined when nothing changed. */
async function restore(transaction: Transaction<Tables>, feed: StoredFeed): Promise<StoredFeed | undefined> {
  const { feed_id, account, revision, created_at, updated_at, content } = feed;
  const feed_number = feedNumber(feed_id);
  if (feed_number === undefined || !isRestorableId(feed_id) || revision > RESTORED_REVISION_MAX)
    return undefined;
  await countTo(transaction, feed_number);
  const row = { account, revision, created_at, updated_at, content };
  const { numInsertedOrUpdatedRows: written = 0n } = await transaction
    .insertInto('feeds')
    .values({ feed_number, ...row, deleted: 0 })
    .onConflict((conflict) =>
      conflict
        .column('feed_number')
        .doUpdateSet(row)
        .where('feeds.deleted', '=', 0)
        .where('feeds.account', '=', account)
        .where('feeds.revision', '<', revision),
    )
    .executeTakeFirstOrThrow();
  return written > 0n ? feed : undefined;
}

/** Carries out a write, see `changed`, and tells the audit log of it in the same transaction. */
export async function writeFeed(
  transaction: Transaction<Tables>,
  write: FeedWrite,
): Promise<StoredFeed | undefined> {
  const feed = await changed(transaction, write);
  if (feed === undefined) return undefined;
  await writeAudit(transaction, {
    account: feed.account,
    at: write.now,
    actor: write.actor,
    action: AUDITED[write.action],
    object: feed.feed_id,
    revision: write.action === 'delete' ? null : feed.revision,
  });
  return feed;
}

/**
 * Carries out a write: the feed as it is stored then (`delete`: the empty one that stays so that its id is
 * never given again), undefined when it was not there as expected.
 */
async function changed(transaction: Transaction<Tables>, write: FeedWrite): Promise<StoredFeed | undefined> {
  if (write.action === 'create') {
    const feed_number = await countUp(transaction);
    const { account, content, now } = write;
    const row = { feed_number, account, revision: 1, created_at: now, updated_at: now, content };
    await transaction
      .insertInto('feeds')
      .values({ ...row, deleted: 0 })
      .execute();
    return storedFeed(row);
  }
  if (write.action === 'restore') return restore(transaction, write.feed);
  const feed_number = feedNumber(write.feed_id);
  if (feed_number === undefined) return undefined;
  let update = transaction
    .updateTable('feeds')
    .set((value) => ({ revision: value('revision', '+', 1), updated_at: write.now }))
    .where('feed_number', '=', feed_number)
    .where('deleted', '=', 0);
  if (write.action === 'delete') update = update.set({ deleted: 1, content: '' });
  else update = update.set({ content: write.content }).where('revision', '=', write.revision);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n ? feedAt(transaction, feed_number) : undefined;
}

/**
 * The feeds in `db`.
 * @param write carries out `writeFeed` where writing belongs
 */
export function feedStore(
  db: Kysely<Tables>,
  write: (write: FeedWrite) => Promise<StoredFeed | undefined>,
): FeedStore {
  return {
    async all() {
      const query = db.selectFrom('feeds').select(COLUMNS).where('deleted', '=', 0).orderBy('feed_number');
      return (await query.execute()).map(storedFeed);
    },

    async create(account, content, edit) {
      const feed = await write({ action: 'create', account, content, ...edit });
      if (feed === undefined) throw new Error('a feed was created and is not there');
      return feed;
    },

    replace: (feed_id, revision, content, edit) =>
      write({ action: 'replace', feed_id, revision, content, ...edit }),

    delete: async (feed_id, edit) => (await write({ action: 'delete', feed_id, ...edit })) !== undefined,

    restore: async (feed, edit) => (await write({ action: 'restore', feed, ...edit })) !== undefined,
  };
}
