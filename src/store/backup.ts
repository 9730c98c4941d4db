import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchOf } from './batch.ts';
import { checkpointBook, enterCheckpoint } from './checkpoint-book.ts';
import { commitBatch, highestSeq } from './commit.ts';
import type { Connection, Location } from './connection.ts';
import { raiseFence } from './fence.ts';
import { hashKey } from './hash-key.ts';
import { openConnection } from './open-connection.ts';
import { purgeSteps } from './purge.ts';
import { latestRetirement, purgeRetiredSteps } from './purge-retired.ts';
import { replay } from './replay.ts';
import { databaseFile } from './sqlite/connection.ts';
import type { StoredChanges } from './stored-changes.ts';
import { latestTrend } from './trends.ts';

/** What has been learnt of trends, as of `Trend.numbers`, by all that is stored. */
export interface Learnt {
  numbers: Float64Array;
  /** Of the last change, seconds. */
  applied_at: number;
}

/** Folds a copy of the data. */
export type Learning = (copy: StoredChanges) => Promise<Learnt>;

/**
 * Writes a copy of the data, as it is at one moment, and purges it like the data itself: what was erased, deleted or retired
 * before that moment is not in it.
 * @param to a folder that has nothing in it yet; the copy is called there as in a data folder, and needs nothing beside it
 * @param learn what has been learnt, as of a fold of the copy; asked only where the purge is ahead of what is stored of it
 * @throws StartupError `backup_failed` where another tool does it better; Error of the copy
 */
export async function writeBackup(connection: Connection, to: Location, learn: Learning): Promise<void> {
  const file = databaseFile(to.data, to.community);
  await connection.backup(file);
  const copy = await openConnection(to, 1);
  try {
    // The data folder's checkpoint does not come along.
    await enterCheckpoint(copy.db, undefined);
    await storeLearnt(copy, to, learn);
    for (const purging of [purgeSteps(copy), purgeRetiredSteps(copy)]) {
      for await (const _ of purging) await nextTurn();
    }
  } finally {
    await copy.close();
  }
  if (existsSync(`${file}-wal`)) throw new Error('its write-ahead log could not be taken in');
}

/** A purge takes out what was learnt from, and goes no further than the last row that tells what was. */
async function storeLearnt(copy: Connection, location: Location, learn: Learning): Promise<void> {
  const { db } = copy;
  const erased = await checkpointBook(db, async () => {}).unpurged();
  if (Math.max(erased, await latestRetirement(db)) <= (await latestTrend(db))) return;
  const learnt = await learn({
    replay: (visit, options) => replay(copy, visit, { ...options, apart: { location } }),
    latestTrend: () => latestTrend(db),
    hashKey: () => hashKey(db),
  });
  // An import that broke off may go on in the copy as in the data.
  const fence = await raiseFence(copy, { imports: true });
  const expected = await highestSeq(db);
  const batch = batchOf([{ kind: 'trend', ...learnt, seq: 0 }], expected + 1);
  const reply = await commitBatch(copy, fence, { type: 'write', expected, batch });
  if (reply.type === 'failed') throw new Error(reply.reason);
}
