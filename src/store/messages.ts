import type { Batch } from './batch.ts';
import type { Location } from './connection.ts';
import type { ConnectorCursor } from './cursors.ts';
import type { Refusal } from './refusals.ts';
import type { Chunk, SeqRange } from './row-reader.ts';
import type { TaskName } from './tasks.ts';

export type PurgeKind = 'erased' | 'retired';

/** An order to the writer's thread, which handles one at a time. */
export type Order =
  | { type: 'open'; location: Location; fence: string }
  | WriteOrder
  | WriterTask
  | { type: 'close' };

/**
 * Work for the writing connection between two messages.
 *
 * `purge` runs one step of a purge, either of erased and deleted data or of retired items. It continues the current
 * purge or starts a new one, and its result is the next step, undefined at the end. `shrink_log` is `Connection.shrinkLog`.
 * `task` runs one of `TASKS`.
 */
export type WriterTask =
  | { type: 'purge'; of: PurgeKind; first: boolean }
  | { type: 'shrink_log' }
  | { type: 'task'; name: TaskName; input: unknown };

export interface WriteOrder {
  type: 'write';
  /** The `highest_seq` that the serving thread knows. */
  expected: number;
  /** The value of `highest_seq` if the previous message, whose outcome was unknown, was committed. */
  settled_if?: number;
  /** Its rows have the `seq`s from `expected + 1`. Its buffers are transferred. */
  batch: Batch;
  /** Cursors of connectors, stored in the same transaction. */
  cursors?: readonly ConnectorCursor[];
}

export type Reply = { type: 'opened'; highest_seq: number } | WriteReply | TaskReply;

export type TaskReply = { type: 'done'; result?: unknown };

/**
 * The reply to an order.
 *
 * `settled`: the previous message was committed, and this one was not tried.
 *
 * `failed` has an outcome. `rolled_back`: nothing was stored. `unknown`: the database is unreachable. `overtaken`:
 * another process wrote or took over the data, so memory is outdated. `needed`: a purge met a reader, see
 * `StillNeeded`.
 */
export type WriteReply =
  | { type: 'written' }
  | { type: 'settled' }
  | {
      type: 'failed';
      outcome: 'rolled_back' | 'unknown' | 'overtaken' | 'needed';
      reason: string;
      refusal?: Refusal;
    };

export interface BackupOrder {
  file: string;
  into: string;
}

export type BackupReply = { type: 'done' } | { type: 'failed'; reason: string };

/** An order to the reader's thread. For `next` see `ChunkSource`. */
export type ReaderOrder =
  | { type: 'open'; location: Location; range: SeqRange }
  | { type: 'next'; table: number }
  | { type: 'close' };

/** The buffers of a chunk are transferred. */
export type ReaderReply =
  | { type: 'rows'; chunk: Chunk }
  | { type: 'done' }
  | { type: 'failed'; reason: string; refusal?: Refusal };
