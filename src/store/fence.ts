import type { Kysely, Transaction } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { FORMER_SEQ, highestSeq, metaText, setMetaNumber, setMetaText } from './meta.ts';
import type { Tables } from './tables.ts';

/**
 * Name of the text in `meta` that identifies the current writer.
 *
 * The lock on the data keeps a second process out, but a server releases it when the connection of the lock is lost.
 * Therefore each process that opens the data for writing stores its own text in `meta`. Each writing transaction checks
 * that the text is unchanged, so a process that lost the data stores nothing more.
 */
export const FENCE = 'fence';

/** Another process took over the data or wrote to it, so this process's memory is outdated. */
export class Overtaken extends Error {}

export interface FenceOptions {
  patience_seconds?: number;
  /** The new fence. Default: a random one. */
  fence?: string;
  /** Checks, within the transaction, that this process may take the data over. Throws if not. */
  mayTake?(transaction: Transaction<Tables>): Promise<void>;
}

/**
 * Takes over the data by replacing the fence.
 *
 * Waits for open writes. Afterwards no other process can write, so reads see the final data.
 * @returns the fence, which proves ownership while it is unchanged
 * @throws StartupError `data_in_use` if other writes did not end in time; errors of `mayTake`
 */
export async function raiseFence(
  connection: Connection,
  {
    patience_seconds = LIMITS.store_patience_seconds,
    fence = crypto.randomUUID(),
    mayTake,
  }: FenceOptions = {},
): Promise<string> {
  await connection.db.transaction().execute(async (transaction) => {
    await connection.lockWrites(transaction, patience_seconds);
    await mayTake?.(transaction);
    await setMetaText(transaction, FENCE, fence);
    await setMetaNumber(transaction, FORMER_SEQ, await highestSeq(transaction));
  });
  return fence;
}

/** @throws Overtaken if another process has raised a fence since */
export async function requireFence(db: Kysely<Tables>, fence: string): Promise<void> {
  if ((await metaText(db, FENCE)) !== fence) throw new Overtaken('another process has taken the data over');
}

/**
 * Runs `work` in a transaction that excludes other writers.
 * @param patience_seconds see `Connection.lockWrites`, with its errors
 * @throws Overtaken
 */
export function behindFence<T>(
  connection: Connection,
  fence: string,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  patience_seconds?: number,
): Promise<T> {
  return connection.db.transaction().execute(async (transaction) => {
    await connection.lockWrites(transaction, patience_seconds);
    await requireFence(transaction, fence);
    return work(transaction);
  });
}
