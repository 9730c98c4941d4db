import type { Batch } from './batch.ts';
import type { CheckpointEntry } from './checkpoint-book.ts';
import type { Location } from './connection.ts';
import type { FeedWrite, StoredFeed } from './feeds.ts';
import type { KeyUse } from './keys.ts';
import type { Refusal } from './refusals.ts';
import type { Chunk, SeqRange } from './row-reader.ts';

export type PurgeKind = 'erased' | 'retired';

/** What a purge does next: take out rows, or free the bytes that they took. */
export type PurgeStep = 'step' | 'sweep';

/** What the serving thread asks of the writer's thread; one order is under way at a time. */
export type Order =
  | { type: 'open'; location: Location; fence: string }
  | WriteOrder
  | Errand
  | { type: 'close' };

/**
 * What is done on the writing connection between two messages. `purge` is one step of a purge, of what was
 * erased and deleted or of what was retired: the first of a new one, or the next of the one under way.
 */
export type Errand =
  | { type: 'purge'; of: PurgeKind; first: boolean }
  | { type: 'feed'; write: FeedWrite }
  | { type: 'checkpoint'; entry?: CheckpointEntry }
  | { type: 'import_mark'; applied_at?: number }
  | { type: 'key_use'; uses: readonly KeyUse[] };

export interface WriteOrder {
  type: 'write';
  /** The `highest_seq` that the serving thread knows. */
  expected: number;
  /** What `highest_seq` is if the message before, whose outcome was unknown, was committed after all. */
  settled_if?: number;
  /** Its rows have the `seq`s from expected + 1 on. Its buffers are transferred. */
  batch: Batch;
}

export type Reply = { type: 'opened'; highest_seq: number } | WriteReply | ErrandReply;

/** `feed`: absent when the write found nothing to change. `step`: absent when a purge is over. */
export type ErrandReply = { type: 'done'; feed?: StoredFeed; step?: PurgeStep };

/**
 * `settled`: the message before was committed after all, and this one was not tried. `failed` with
 * outcome `rolled_back`: nothing of it is stored; `unknown`: the database is gone and cannot be asked;
 * `overtaken`: another process has written or taken the data over, so that what this one has in memory is not
 * the state; `needed`: of a purge, see `StillNeeded`.
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

/** What is asked of the thread that writes a copy of an embedded database; both are paths. */
export interface BackupOrder {
  file: string;
  into: string;
}

export type BackupReply = { type: 'done' } | { type: 'failed'; reason: string };

/** What is asked of the reader's thread. `next`: see `ChunkSource`. */
export type ReaderOrder =
  | { type: 'open'; location: Location; range: SeqRange }
  | { type: 'next'; table: number }
  | { type: 'close' };

/** The buffers of a chunk are transferred. */
export type ReaderReply =
  | { type: 'rows'; chunk: Chunk }
  | { type: 'done' }
  | { type: 'failed'; reason: string; refusal?: Refusal };
