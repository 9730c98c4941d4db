import type { Transaction } from 'kysely';
import type { SeenRemoval, SeenWrite } from '../seen/seen-store.ts';
import { type CheckpointEntry, enterCheckpoint } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { type FeedWrite, writeFeed } from './feeds.ts';
import { type KeyUse, writeKeyUse } from './keys.ts';
import { removeSeen } from './seen.ts';
import type { Tables } from './tables.ts';

type Write = Transaction<Tables>;

/** Work for the writing connection between two messages, by name. Each is a transaction behind the fence. */
const TASKS = {
  feed: (transaction: Write, write: FeedWrite) => writeFeed(transaction, write),
  checkpoint: (transaction: Write, entry: CheckpointEntry | undefined) => enterCheckpoint(transaction, entry),
  key_use: (transaction: Write, uses: readonly KeyUse[]) => writeKeyUse(transaction, uses),
  /** Returns the viewers that were written. */
  seen: (transaction: Write, writes: readonly SeenWrite[], { writeSeen }: Pick<Connection, 'writeSeen'>) =>
    writeSeen(transaction, writes),
  seen_removal: (transaction: Write, removals: readonly SeenRemoval[]) => removeSeen(transaction, removals),
};

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[1];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;

/** Runs a task that another thread ordered. */
export function execute(
  name: TaskName,
  input: unknown,
  transaction: Write,
  connection: Connection,
): Promise<unknown> {
  const task: (transaction: Write, input: never, connection: Connection) => Promise<unknown> = TASKS[name];
  return task(transaction, input as never, connection);
}

/** Runs a task and returns its result. */
export type RunTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
) => Promise<TaskResult<Name>>;
