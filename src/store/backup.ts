import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../model/change.ts';
import { batchOf } from './batch.ts';
import { enterCheckpoint, latestUnpurged } from './checkpoint-store.ts';
import { commitBatch } from './commit.ts';
import type { Connection, Location } from './connection.ts';
import { raiseFence } from './fence.ts';
import { latestSeq, latestTrend } from './latest.ts';
import { highestSeq } from './meta.ts';
import { openConnection } from './open-connection.ts';
import { purgeSteps } from './purge.ts';
import { purgeRetiredSteps } from './purge-retired.ts';
import { replay } from './replay.ts';
import { storedSecret, storedTableHashKey } from './secrets.ts';
import { databaseFile } from './sqlite/connection.ts';
import type { StoredChanges } from './stored-changes.ts';

/** Gives what was learnt and counted from all stored changes, as changes of their own. */
export type Learning = (copy: StoredChanges) => Promise<Change[]>;

/**
 * Writes a consistent copy of the data and purges it.
 *
 * The copy contains nothing that was erased, deleted or retired before the copy was taken.
 * @param to an empty folder; the copy has the same file name as in a data folder and needs no other file
 * @param learn called only if the purge would remove rows whose trends are not stored yet
 * @throws StartupError `backup_failed` if the engine has a better tool; errors of the copy
 */
export async function writeBackup(connection: Connection, to: Location, learn: Learning): Promise<void> {
  const file = databaseFile(to.data, to.community);
  await connection.backup(file);
  const copy = await openConnection(to, 1);
  try {
    // The checkpoint file of the data folder is not part of the copy.
    await enterCheckpoint(copy.db, undefined);
    await storeLearnt(copy, to, learn);
    for (const purging of [purgeSteps(copy), purgeRetiredSteps(copy)]) {
      for await (const _ of purging) await nextTurn();
    }
  } finally {
    await copy.close();
  }
  if (existsSync(`${file}-wal`)) throw new Error('its write-ahead log could not be merged');
}

/** Stores the trends and counts before the purge, because it removes only rows that they cover. */
async function storeLearnt(copy: Connection, location: Location, learn: Learning): Promise<void> {
  const { db } = copy;
  if (Math.max(await latestUnpurged(db), await latestSeq(db, 'retirements')) <= (await latestTrend(db)))
    return;
  const learnt = await learn({
    replay: (visit, options) => replay(copy, visit, { ...options, reader_thread: { location } }),
    latestTrend: () => latestTrend(db),
    hashKey: () => storedTableHashKey(db),
    seenKey: () => storedSecret(db, 'seen'),
  });
  // An interrupted import can continue in the copy too, so its mark stays.
  const fence = await raiseFence(copy);
  const expected = await highestSeq(db);
  const batch = batchOf(learnt, expected + 1);
  const reply = await commitBatch(copy, fence, { type: 'write', expected, batch });
  if (reply.type === 'failed') throw new Error(reply.reason);
}
