import type { Kysely, Transaction } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Edit } from './audit.ts';
import { minuteOf } from './minute.ts';
import type { Tables } from './tables.ts';

/** A change of a feed, without the content that it stored. */
export interface FeedRevision {
  revision: number;
  /** Time of the change, seconds. */
  at: number;
  /** See `Edit`. `unknown` for changes from before revisions were kept. */
  actor: string;
  /** The name of the actor's key; null if it has none or the actor is not a key. */
  key_name: string | null;
}

export interface RevisionContent {
  account: string;
  revision: number;
  /** seconds */
  created_at: number;
  /** seconds */
  updated_at: number;
  /** JSON text */
  content: string;
}

/** A deleted feed of a list. */
export interface ListedDeletedFeed extends DeletedFeed {
  feed_number: number;
  revision: number;
}

/** A deleted feed whose content is still kept. */
export interface DeletedFeed {
  account: string;
  /** seconds */
  deleted_at: number;
  /** JSON text */
  content: string;
}

interface NewRevision {
  feed_number: number;
  account: string;
  revision: number;
  content: string;
}

/** Stores the content of a new revision, and removes former revisions beyond the limits. */
export async function keepRevision(
  transaction: Transaction<Tables>,
  { feed_number, account, revision, content }: NewRevision,
  { now, actor }: Edit,
): Promise<void> {
  const content_bytes = Buffer.byteLength(content);
  await transaction
    .insertInto('feed_revisions')
    .values({ feed_number, revision, account, at: now, actor, content_bytes, deleted_at: null, content })
    .execute();
  await thinOut(transaction, feed_number);
  const added = (added_bytes.get(account) ?? SLACK_BYTES) + countedBytes(content_bytes);
  added_bytes.set(account, added < SLACK_BYTES ? added : 0);
  if (added >= SLACK_BYTES) await dropBeyondBytes(transaction, account);
}

/** What an account may add between two checks, which read all of its revisions. */
const SLACK_BYTES = LIMITS.feed_revisions_bytes_max / 16;
/** By account: what this thread has stored since its last check. */
const added_bytes = new Map<string, number>();

const countedBytes = (content_bytes: number): number =>
  Math.max(content_bytes, LIMITS.feed_revision_bytes_min);

/** Removes the revision that is one of the latest no longer, unless it was the last of its minute by its actor. */
async function thinOut(transaction: Transaction<Tables>, feed_number: number): Promise<void> {
  const of_feed = transaction.selectFrom('feed_revisions').where('feed_number', '=', feed_number);
  const former = await of_feed
    .select(['revision', 'at', 'actor'])
    .orderBy('revision', 'desc')
    .offset(LIMITS.feed_revisions_latest)
    .limit(1)
    .executeTakeFirst();
  if (former === undefined) return;
  const { from, before } = minuteOf(former.at);
  if (await isPinned(transaction, feed_number, former.revision)) return;
  const later = await of_feed
    .select('revision')
    .where('revision', '>', former.revision)
    .where('actor', '=', former.actor)
    .where('at', '>=', from)
    .where('at', '<', before)
    .limit(1)
    .executeTakeFirst();
  if (later !== undefined) await dropRevisions(transaction, feed_number, [former.revision]);
}

async function isPinned(db: Kysely<Tables>, feed_number: number, revision: number): Promise<boolean> {
  const pins = db.selectFrom('pinned_revisions').select('experiment_number');
  const of_revision = pins.where('feed_number', '=', feed_number).where('revision', '=', revision);
  return (await of_revision.limit(1).executeTakeFirst()) !== undefined;
}

const DROPPED_CHUNK = 500;

async function dropRevisions(
  transaction: Transaction<Tables>,
  feed_number: number,
  revisions: readonly number[],
): Promise<void> {
  for (let start = 0; start < revisions.length; start += DROPPED_CHUNK)
    await transaction
      .deleteFrom('feed_revisions')
      .where('feed_number', '=', feed_number)
      .where('revision', 'in', revisions.slice(start, start + DROPPED_CHUNK))
      .execute();
}

/**
 * Removes former revisions of the account until they fit, with room for what is added until the next check: first those
 * that were not the last of their minute by their actor, then the oldest. The current content of feeds is not counted.
 */
async function dropBeyondBytes(transaction: Transaction<Tables>, account: string): Promise<void> {
  const former = await transaction
    .selectFrom('feed_revisions as kept')
    .where('kept.account', '=', account)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feeds')
            .select('feeds.feed_number')
            .whereRef('feeds.feed_number', '=', 'kept.feed_number')
            .whereRef('feeds.revision', '=', 'kept.revision'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pinned_revisions as pins')
            .select('pins.feed_number')
            .whereRef('pins.feed_number', '=', 'kept.feed_number')
            .whereRef('pins.revision', '=', 'kept.revision'),
        ),
      ),
    )
    .select(['kept.feed_number', 'kept.revision', 'kept.at', 'kept.actor', 'kept.content_bytes'])
    .orderBy('kept.at', 'desc')
    .orderBy('kept.revision', 'desc')
    .execute();
  const room_bytes = LIMITS.feed_revisions_bytes_max - SLACK_BYTES;
  let excess_bytes = former.reduce((sum, row) => sum + countedBytes(row.content_bytes), -room_bytes);
  if (excess_bytes <= 0) return;
  const minutes = new Set<string>();
  const [last_of_minute, others] = [[] as typeof former, [] as typeof former];
  for (const row of former) {
    const minute = `${row.feed_number} ${minuteOf(row.at).from} ${row.actor}`;
    (minutes.has(minute) ? others : last_of_minute).push(row);
    minutes.add(minute);
  }
  const dropped = new Map<number, number[]>();
  for (const { feed_number, revision, content_bytes } of [...others.reverse(), ...last_of_minute.reverse()]) {
    if (excess_bytes <= 0) break;
    excess_bytes -= countedBytes(content_bytes);
    const revisions = dropped.get(feed_number) ?? [];
    revisions.push(revision);
    dropped.set(feed_number, revisions);
  }
  for (const [feed_number, revisions] of dropped) await dropRevisions(transaction, feed_number, revisions);
}

/** Sets when the feed of these revisions was deleted; null: it exists. */
export async function markDeleted(
  transaction: Transaction<Tables>,
  feed_number: number,
  deleted_at: number | null,
): Promise<void> {
  await transaction
    .updateTable('feed_revisions')
    .set({ deleted_at })
    .where('feed_number', '=', feed_number)
    .execute();
}

/** Removes the content of feeds that can no longer be restored. */
export async function forgetDeletedFeeds(transaction: Transaction<Tables>, now: number): Promise<void> {
  await transaction
    .deleteFrom('feed_revisions')
    .where('deleted_at', '<=', now - LIMITS.feed_restore_seconds)
    .execute();
}

/** The account's feeds that were deleted after `since`, with their last content. The latest deletion first. */
export function deletedFeeds(
  db: Kysely<Tables>,
  account: string,
  since: number,
): Promise<ListedDeletedFeed[]> {
  return db
    .selectFrom('feed_revisions as last')
    .select(['last.feed_number', 'last.revision', 'last.account', 'last.deleted_at', 'last.content'])
    .where('last.account', '=', account)
    .where('last.deleted_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feed_revisions as later')
            .select('later.revision')
            .whereRef('later.feed_number', '=', 'last.feed_number')
            .whereRef('later.revision', '>', 'last.revision'),
        ),
      ),
    )
    .$narrowType<{ deleted_at: number }>()
    .orderBy('last.deleted_at', 'desc')
    .orderBy('last.feed_number', 'desc')
    .limit(LIMITS.deleted_feeds_listed_max)
    .execute();
}

/** The deleted feed with this number. Undefined if it exists, never existed or is forgotten. */
export function deletedFeed(db: Kysely<Tables>, feed_number: number): Promise<DeletedFeed | undefined> {
  return db
    .selectFrom('feed_revisions')
    .select(['account', 'deleted_at', 'content'])
    .where('feed_number', '=', feed_number)
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: number }>()
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The kept revisions of a feed, newest first. */
export function feedRevisions(
  db: Kysely<Tables>,
  feed_number: number,
  limit: number,
  offset: number,
): Promise<FeedRevision[]> {
  return db
    .selectFrom('feed_revisions')
    .leftJoin('api_keys', 'api_keys.key_id', 'feed_revisions.actor')
    .select(['feed_revisions.revision', 'feed_revisions.at', 'feed_revisions.actor'])
    .select('api_keys.name as key_name')
    .where('feed_revisions.feed_number', '=', feed_number)
    .orderBy('feed_revisions.revision', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The content of a feed at a revision; undefined if it is not kept. */
export function revisionContent(
  db: Kysely<Tables>,
  feed_number: number,
  revision: number,
): Promise<RevisionContent | undefined> {
  return db
    .selectFrom('feed_revisions')
    .innerJoin('feeds', 'feeds.feed_number', 'feed_revisions.feed_number')
    .select(['feeds.account', 'feed_revisions.revision', 'feeds.created_at', 'feed_revisions.content'])
    .select('feed_revisions.at as updated_at')
    .where('feed_revisions.feed_number', '=', feed_number)
    .where('feed_revisions.revision', '=', revision)
    .executeTakeFirst();
}
