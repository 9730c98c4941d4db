import { metaNumber } from './meta.ts';
import type { Reading } from './reading.ts';
import { FEED_COLUMNS, type StoredFeed, storedFeed } from './stored-feed.ts';

/** Name of the number in `meta` that rises with each change of a feed. The changed feed gets it. */
export const FEEDS_REVISION = 'feeds_revision';

/** Feeds that are read at once. Each may have 1 MiB. */
const FEEDS_READ = 10;

/** Some of the feeds that changed after a number of `feeds_revision`. */
export interface FeedChanges {
  saved: StoredFeed[];
  /** The ids of feeds that are deleted now. */
  deleted: string[];
  /** All changes up to this number have been read. */
  until: number;
  /** Whether there were no further changes. */
  is_last: boolean;
}

/**
 * Feeds that changed after a number of `feeds_revision`, in order of their last change, some at a time.
 *
 * Changes become visible in order of their numbers, because each transaction locks the counter that it raises.
 * @param with_deleted whether deleted feeds are named, which are unknown to a caller that has read nothing before
 */
export async function feedChanges(
  { db }: Reading,
  after: number,
  with_deleted: boolean,
): Promise<FeedChanges> {
  const revision = await metaNumber(db, FEEDS_REVISION);
  const query = db
    .selectFrom('feeds')
    .select([...FEED_COLUMNS, 'deleted', 'change_number'])
    .where('change_number', '>', after)
    .orderBy('change_number')
    .limit(FEEDS_READ);
  const rows = await (with_deleted ? query : query.where('deleted', '=', 0)).execute();
  const changes: FeedChanges = { saved: [], deleted: [], until: after, is_last: rows.length < FEEDS_READ };
  for (const { deleted, change_number, ...row } of rows) {
    const feed = storedFeed(row);
    if (deleted === 0) changes.saved.push(feed);
    else changes.deleted.push(feed.feed_id);
    changes.until = Number(change_number);
  }
  if (changes.is_last) changes.until = Math.max(changes.until, revision);
  return changes;
}
