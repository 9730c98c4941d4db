import type { Kysely, Transaction } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { writeImportMark } from './import-mark.ts';
import { metaText, setMetaText } from './meta.ts';
import type { Tables } from './tables.ts';

/**
 * Who may write. The lock on the data keeps a second process out, but a server drops it with the connection that
 * holds it. So whoever opens the data to write leaves a text of its own in `meta`, and each transaction
 * that writes makes sure that it is still there: one who was taken over from stores nothing more, whether or not
 * it knows.
 */
export const FENCE = 'fence';

/** Somebody else has taken the data over, or written to it: what this process has in memory is not the state. */
export class Overtaken extends Error {}

/**
 * Takes the data over. Waits for whatever is being written; afterwards nobody else writes, so what is read
 * then is all there is.
 * @param options see `StoreOptions`
 * @returns what proves from now on that nobody has taken over since
 * @throws StartupError `data_in_use` when patience has ended before others have
 */
export async function raiseFence(
  connection: Connection,
  {
    imports,
    patience_seconds = LIMITS.store_patience_seconds,
  }: { imports?: boolean; patience_seconds?: number } = {},
): Promise<string> {
  const value = crypto.randomUUID();
  await connection.db.transaction().execute(async (transaction) => {
    await connection.lockWrites(transaction, patience_seconds);
    await setMetaText(transaction, FENCE, value);
    if (!imports) await writeImportMark(transaction, undefined);
  });
  return value;
}

/** @throws Overtaken when somebody else has raised a fence since */
export async function requireFence(db: Kysely<Tables>, fence: string): Promise<void> {
  if ((await metaText(db, FENCE)) !== fence) throw new Overtaken('another process has taken the data over');
}

/**
 * Runs `work` in a transaction in which nobody else writes.
 * @param patience_seconds as of `Connection.lockWrites`, with what that throws
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
