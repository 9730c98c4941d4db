import type { Kysely, Transaction } from 'kysely';
import { type Edit, forgetOldEntries, writeAudit } from './audit.ts';
import { FEEDS_REVISION, feedChanges } from './feed-changes.ts';
import {
  type DeletedFeed,
  deletedFeed,
  deletedFeeds,
  type FeedRevision,
  feedRevisions,
  forgetDeletedFeeds,
  keepRevision,
  markDeleted,
  type RevisionContent,
  revisionContent,
} from './feed-revisions.ts';
import { increaseMeta, metaNumber } from './meta.ts';
import type { Reading } from './reading.ts';
import { forgetReleasedKeys, keyOwner, releaseKey } from './released-keys.ts';
import { FEED_COLUMNS, type StoredFeed, storedFeed } from './stored-feed.ts';
import type { Tables } from './tables.ts';
import type { TimedReads } from './timed-reads.ts';

/** A change to the saved feeds, as sent to the writer's thread. */
export type FeedWrite = Edit &
  (
    | { action: 'create'; account: string; content: string }
    | { action: 'replace'; feed_id: string; revision: number; content: string; released_key?: string }
    | { action: 'delete'; feed_id: string; released_key?: string }
    | { action: 'undelete'; feed_id: string }
    | { action: 'forget' }
    | { action: 'restore'; feed: StoredFeed }
  );

const AUDITED = {
  create: 'feed.create',
  replace: 'feed.change',
  delete: 'feed.delete',
  undelete: 'feed.restore',
  restore: 'feed.import',
} as const;

const FEED_ID = /^feed_([1-9]\d{0,9})$/;
/** The largest value of the 32-bit columns for feed numbers and revisions. */
const FEED_NUMBER_MAX = 2 ** 31 - 1;
/**
 * The highest number and revision of a restored feed.
 *
 * 147 million numbers stay free for feeds created later, and as many revisions for changes.
 */
export const RESTORED_NUMBER_MAX = 2_000_000_000;
export const RESTORED_REVISION_MAX = 2_000_000_000;

/** Orders feeds by their numbers, the oldest first. */
export function byNumber(one: string, other: string): number {
  return (feedNumber(one) ?? 0) - (feedNumber(other) ?? 0);
}

export function feedNumber(feed_id: string): number | undefined {
  const number = Number(FEED_ID.exec(feed_id)?.[1]);
  return number <= FEED_NUMBER_MAX ? number : undefined;
}

export function isRestorableId(text: string): boolean {
  const number = feedNumber(text);
  return number !== undefined && number <= RESTORED_NUMBER_MAX;
}

async function feedAt(db: Kysely<Tables>, feed_number: number): Promise<StoredFeed> {
  const query = db.selectFrom('feeds').select(FEED_COLUMNS).where('feed_number', '=', feed_number);
  return storedFeed(await query.executeTakeFirstOrThrow());
}

async function countUp(transaction: Transaction<Tables>): Promise<number> {
  await increaseMeta(transaction, 'highest_feed');
  return metaNumber(transaction, 'highest_feed');
}

async function countTo(transaction: Transaction<Tables>, feed_number: number): Promise<void> {
  await transaction
    .updateTable('meta')
    .set({ value: String(feed_number) })
    .where('name', '=', 'highest_feed')
    .where((value) => value(value.cast<number>('value', 'integer'), '<', feed_number))
    .execute();
}

async function restore(
  transaction: Transaction<Tables>,
  feed: StoredFeed,
  change_number: number,
): Promise<StoredFeed | undefined> {
  const { feed_id, account, revision, created_at, updated_at, content } = feed;
  const feed_number = feedNumber(feed_id);
  if (feed_number === undefined || !isRestorableId(feed_id) || revision > RESTORED_REVISION_MAX)
    return undefined;
  await countTo(transaction, feed_number);
  const row = { account, revision, created_at, updated_at, content, change_number };
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

export async function writeFeed(
  transaction: Transaction<Tables>,
  write: FeedWrite,
): Promise<StoredFeed | undefined> {
  if (write.action === 'forget') {
    await forgetDeletedFeeds(transaction, write.now);
    await forgetReleasedKeys(transaction, write.now);
    await forgetOldEntries(transaction, write.now);
    return undefined;
  }
  const change_number = (await metaNumber(transaction, FEEDS_REVISION)) + 1;
  const feed = await changed(transaction, write, change_number);
  if (feed === undefined) return undefined;
  const feed_number = feedNumber(feed.feed_id) as number;
  if (write.action === 'delete') await markDeleted(transaction, feed_number, write.now);
  else await keepRevision(transaction, { ...feed, feed_number }, write);
  if ('released_key' in write && write.released_key !== undefined)
    await releaseKey(transaction, write.released_key, feed.account, write.now);
  await writeAudit(transaction, {
    account: feed.account,
    at: write.now,
    actor: write.actor,
    action: AUDITED[write.action],
    object: feed.feed_id,
    revision: write.action === 'delete' ? null : feed.revision,
  });
  await increaseMeta(transaction, FEEDS_REVISION);
  return feed;
}

/**
 * Executes a write and returns the stored feed.
 *
 * After `delete` this is the empty row that reserves the id. Undefined if the feed was not in the expected state.
 */
async function changed(
  transaction: Transaction<Tables>,
  write: Exclude<FeedWrite, { action: 'forget' }>,
  change_number: number,
): Promise<StoredFeed | undefined> {
  if (write.action === 'create') {
    const feed_number = await countUp(transaction);
    const { account, content, now } = write;
    const row = { feed_number, account, revision: 1, created_at: now, updated_at: now, content };
    await transaction
      .insertInto('feeds')
      .values({ ...row, deleted: 0, change_number })
      .execute();
    return storedFeed(row);
  }
  if (write.action === 'restore') return restore(transaction, write.feed, change_number);
  const feed_number = feedNumber(write.feed_id);
  if (feed_number === undefined) return undefined;
  let update = transaction
    .updateTable('feeds')
    .set((value) => ({ revision: value('revision', '+', 1), updated_at: write.now, change_number }))
    .where('feed_number', '=', feed_number)
    .where('deleted', '=', write.action === 'undelete' ? 1 : 0);
  if (write.action === 'undelete') {
    const kept = await deletedFeed(transaction, feed_number);
    if (kept === undefined) return undefined;
    await markDeleted(transaction, feed_number, null);
    update = update.set({ deleted: 0, content: kept.content });
  } else if (write.action === 'delete') update = update.set({ deleted: 1, content: '' });
  else update = update.set({ content: write.content }).where('revision', '=', write.revision);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n ? feedAt(transaction, feed_number) : undefined;
}

const FEED_LOADS = {
  /** All feeds that are not deleted, oldest first. */
  async all({ db }: Reading): Promise<StoredFeed[]> {
    const query = db.selectFrom('feeds').select(FEED_COLUMNS).where('deleted', '=', 0).orderBy('feed_number');
    return (await query.execute()).map(storedFeed);
  },
  changed: feedChanges,
};

const FEED_READS = {
  keyOwner,
  /** A deleted feed whose content is still kept. */
  async deleted({ db }: Reading, feed_id: string): Promise<DeletedFeed | undefined> {
    const feed_number = feedNumber(feed_id);
    return feed_number === undefined ? undefined : deletedFeed(db, feed_number);
  },
  /** The account's feeds that were deleted after `since` and are still kept, the latest deletion first. */
  async allDeleted({ db }: Reading, account: string, since: number) {
    const listed = await deletedFeeds(db, account, since);
    return listed.map(({ feed_number, ...feed }) => ({ feed_id: `feed_${feed_number}`, ...feed }));
  },
  /** The kept revisions of a feed, newest first. */
  async revisions({ db }: Reading, feed_id: string, limit: number, offset: number): Promise<FeedRevision[]> {
    const feed_number = feedNumber(feed_id);
    return feed_number === undefined ? [] : feedRevisions(db, feed_number, limit, offset);
  },
  /** The content of a feed at a revision, if it is kept. */
  async revision({ db }: Reading, feed_id: string, revision: number): Promise<RevisionContent | undefined> {
    const feed_number = feedNumber(feed_id);
    return feed_number === undefined ? undefined : revisionContent(db, feed_number, revision);
  },
};

/**
 * Saved feeds. Only the serving process writes them. Writes are durable when they resolve.
 *
 * All throw ServiceError `store_unavailable`.
 */
export type FeedStore = ReturnType<typeof feedStore>;

export function feedStore(
  timed_reads: TimedReads,
  write: (write: FeedWrite) => Promise<StoredFeed | undefined>,
) {
  return {
    ...timed_reads.loads(FEED_LOADS),
    ...timed_reads.reads('service', FEED_READS),

    /** Creates a feed under the next id, which is one more than any earlier id. */
    async create(account: string, content: string, edit: Edit): Promise<StoredFeed> {
      const feed = await write({ action: 'create', account, content, ...edit });
      if (feed === undefined) throw new Error('a created feed is missing');
      return feed;
    },

    /**
     * Replaces the content of a feed at `revision`. Undefined if the feed is missing or at another revision.
     * @param released_key the record key that the feed gives up, see `keyOwner`
     */
    replace: (feed_id: string, revision: number, content: string, edit: Edit, released_key?: string) =>
      write({ action: 'replace', feed_id, revision, content, released_key, ...edit }),

    /** Deletes a feed, whose revisions are kept until `forget`. The id stays reserved. False if the feed is missing. */
    delete: async (feed_id: string, edit: Edit, released_key?: string): Promise<boolean> =>
      (await write({ action: 'delete', feed_id, released_key, ...edit })) !== undefined,

    /** Restores a deleted feed as it was. Undefined if its content is not kept. */
    undelete: (feed_id: string, edit: Edit) => write({ action: 'undelete', feed_id, ...edit }),

    /** Removes what is kept no longer: deleted feeds, record keys and entries of the audit log. */
    async forget(edit: Edit): Promise<void> {
      await write({ action: 'forget', ...edit });
    },

    /**
     * Stores an exported feed with its id, account, revision and times. Later ids are higher.
     * @returns false if nothing changed: the id exists at this or a later revision, belongs to another account or was
     * deleted, or the id or the revision leaves no room for later ones
     */
    restore: async (feed: StoredFeed, edit: Edit): Promise<boolean> =>
      (await write({ action: 'restore', feed, ...edit })) !== undefined,
  };
}
