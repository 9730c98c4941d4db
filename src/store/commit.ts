import type { Transaction } from 'kysely';
import { reasonOf } from '../errors.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { changesIn } from './batch.ts';
import type { Connection } from './connection.ts';
import { storeCursors } from './cursors.ts';
import { noteExperiments } from './experiments.ts';
import { behindFence, FENCE, Overtaken } from './fence.ts';
import type { WriteOrder, WriteReply } from './messages.ts';
import { HIGHEST_SEQ, highestSeq } from './meta.ts';
import { noteModels } from './models.ts';
import { eraseSeen } from './seen.ts';
import type { Tables } from './tables.ts';

/** Raises `highest_seq` by `rows`. False if it differs from `expected` or another process owns the data. */
async function claim(
  transaction: Transaction<Tables>,
  expected: number,
  rows: number,
  fence: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('meta')
    .set({ value: String(expected + rows) })
    .where('name', '=', HIGHEST_SEQ)
    .where('value', '=', String(expected))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('meta as own')
          .select('own.name')
          .where('own.name', '=', FENCE)
          .where('own.value', '=', fence),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Waits for any open transaction of another session, then reads `highest_seq`. */
export function settledHighest(
  connection: Connection,
  fence: string,
  patience_seconds?: number,
): Promise<number> {
  return behindFence(connection, fence, highestSeq, patience_seconds);
}

/** The outcome of a message whose transaction threw. `claimed` means that it may have reached its commit. */
async function outcome(
  connection: Connection,
  fence: string,
  order: WriteOrder,
  claimed: boolean,
  error: unknown,
): Promise<WriteReply> {
  const reason = reasonOf(error);
  if (!claimed && !(error instanceof Overtaken)) return { type: 'failed', outcome: 'rolled_back', reason };
  let highest: number;
  try {
    highest = await settledHighest(connection, fence);
  } catch (failure) {
    if (failure instanceof Overtaken) return overtaken(failure.message);
    return { type: 'failed', outcome: claimed ? 'unknown' : 'rolled_back', reason };
  }
  if (highest === order.expected) return { type: 'failed', outcome: 'rolled_back', reason };
  if (claimed && highest === order.expected + order.batch.row_count) return { type: 'written' };
  if (!claimed && highest === order.settled_if) return { type: 'settled' };
  return overtaken(`another process wrote: highest_seq is ${highest}`);
}

function overtaken(reason: string): Extract<WriteReply, { type: 'failed' }> {
  return { type: 'failed', outcome: 'overtaken', reason };
}

/** Stores one message in one transaction, completely or not at all. Never throws. @param fence see `raiseFence` */
export async function commitBatch(
  connection: Connection,
  fence: string,
  order: WriteOrder,
): Promise<WriteReply> {
  const { batch, cursors = [] } = order;
  let claimed = false;
  try {
    await connection.db.transaction().execute(async (transaction) => {
      await connection.lockWrites(transaction);
      if (!(await claim(transaction, order.expected, batch.row_count, fence))) throw new Overtaken();
      claimed = true;
      await connection.insertBatch(transaction, batch);
      await storeCursors(transaction, cursors);
      await noteExperiments(transaction, batch);
      await noteModels(transaction, batch);
      await eraseSeen(transaction, changesIn(batch, ERASURE.kind));
    });
    return { type: 'written' };
  } catch (error) {
    return outcome(connection, fence, order, claimed, error);
  }
}
