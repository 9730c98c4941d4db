import type { Kysely } from 'kysely';
import type { SeenRows } from '../seen/seen-store.ts';
import { type CheckpointStore, checkpointStore } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { type ExperimentRows, readExperimentPages, readViewerOutcomes } from './experiment-rows.ts';
import { type FeedStore, type FeedWrite, feedStore } from './feeds.ts';
import { type KeyStore, keyStore, keysInForce, keysRevision } from './keys.ts';
import type { TaskReply, WriterTask } from './messages.ts';
import { storedSecret } from './secrets.ts';
import { listSeen, readSeen } from './seen.ts';
import type { StoredFeed } from './stored-feed.ts';
import type { Tables } from './tables.ts';
import type { TimedReads } from './timed-reads.ts';

export function timedKeys(
  connection: Connection,
  timed_reads: TimedReads,
  patience_seconds: number | undefined,
  noteUse: KeyStore['noteUse'],
): KeyStore {
  return {
    ...keyStore(connection, patience_seconds),
    noteUse,
    revision: () => timed_reads.read('service', ({ db }) => keysRevision(db)),
    all: () => timed_reads.read('service', ({ db }) => keysInForce(db)),
    tokenSecret: () => timed_reads.read('service', ({ db }) => storedSecret(db, 'token')),
  };
}

export function timedFeeds(
  { db }: Connection,
  timed_reads: TimedReads,
  write: (write: FeedWrite) => Promise<StoredFeed | undefined>,
): FeedStore {
  const read = <T>(query: (feeds: FeedStore) => Promise<T>): Promise<T> =>
    timed_reads.read('service', (reading) => query(feedStore(reading.db, write)));
  const feeds = feedStore(db, write);
  return {
    ...feeds,
    all: () => timed_reads.load(feeds.all),
    changed: (after, with_deleted) => timed_reads.load(() => feeds.changed(after, with_deleted)),
    deleted: (feed_id) => read((timed) => timed.deleted(feed_id)),
    keyOwner: (record_key, since) => read((timed) => timed.keyOwner(record_key, since)),
    revisions: (feed_id, limit, offset) => read((timed) => timed.revisions(feed_id, limit, offset)),
    revision: (feed_id, revision) => read((timed) => timed.revision(feed_id, revision)),
  };
}

export function timedCheckpoints(timed_reads: TimedReads, enter: CheckpointStore['enter']): CheckpointStore {
  const checkpoint_store = (db: Kysely<Tables>) => checkpointStore(db, enter);
  return {
    enter,
    entry: () => timed_reads.read('service', ({ db }) => checkpoint_store(db).entry()),
    unpurged: () => timed_reads.read('service', ({ db }) => checkpoint_store(db).unpurged()),
    databaseId: () => timed_reads.read('service', ({ db }) => checkpoint_store(db).databaseId()),
  };
}

/** @param run writes to a data folder, whose only writer is a thread. A server takes writes from every process */
export function timedSeen(
  connection: Connection,
  timed_reads: TimedReads,
  run: (task: WriterTask) => Promise<TaskReply>,
): SeenRows {
  return {
    list: (...asked) => timed_reads.read('service', (reading) => listSeen(reading, ...asked)),
    remove: async (removals) => {
      await run({ type: 'seen_removal', removals });
    },
    read: async (known, given_up) =>
      known.length === 0 ? [] : timed_reads.read('seen', (reading) => readSeen(reading, known), given_up),
    write: async (writes) =>
      connection.server === undefined
        ? ((await run({ type: 'seen', writes })).written ?? [])
        : timed_reads.request(() => connection.writeSeen(connection.db, writes)),
  };
}

export function timedExperimentRows(timed_reads: TimedReads): ExperimentRows {
  return {
    pages: (...from) => timed_reads.read('service', ({ db }) => readExperimentPages(db, ...from)),
    outcomes: (...from) => timed_reads.read('service', ({ db }) => readViewerOutcomes(db, ...from)),
  };
}
