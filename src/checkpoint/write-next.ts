import { monotonicMs } from '../clock.ts';
import type { Read } from '../plugin/index.ts';
import { Fields } from '../state/fields.ts';
import { imageOf } from '../state/image.ts';
import { State } from '../state/state.ts';
import { CONTENT, type Vocabulary, WALLETS } from '../state/vocabulary.ts';
import type { CheckpointEntry } from '../store/checkpoint-book.ts';
import type { CommunityName } from '../store/connection.ts';
import { openStore } from '../store/open-store.ts';
import { writeCheckpoint } from './file.ts';
import { fold } from './fold.ts';
import type { Head } from './head.ts';
import { loadCheckpoint, makeOf } from './load.ts';
import { Unusable } from './unusable.ts';

/** What acts mean in each community. */
const VOCABULARIES: Readonly<Record<CommunityName, Vocabulary>> = { content: CONTENT, wallets: WALLETS };

/** A checkpoint in a file. */
export interface CheckpointFile extends Pick<CheckpointEntry, 'name'> {
  file: string;
}

/** What a process is told that is to write a checkpoint. */
export interface Job {
  data: string;
  database_url?: string;
  community: CommunityName;
  /** Fields that plugins asked for. */
  reads: Read[];
  next: CheckpointFile;
  /** The checkpoint before. */
  last?: CheckpointFile & CheckpointEntry;
}

export interface Written {
  seq: number;
  bytes: number;
  /** As of `CheckpointEntry`. */
  digest: string;
  milliseconds: number;
}

/**
 * Loads the last checkpoint, folds what was stored since, and writes the next; beside a running service.
 * @throws StartupError, Error of the file system
 */
export async function writeNext(
  { reads, next, last, ...place }: Job,
  slice: () => Promise<void>,
): Promise<Written> {
  const start_ms = monotonicMs();
  const store = await openStore({
    ...place,
    role: 'beside',
    must_exist: true,
    write_queue: 1,
    command: 'feedloom write-checkpoint',
  });
  try {
    const vocabulary = VOCABULARIES[place.community];
    const state = new State({
      fields: new Fields(reads),
      vocabulary,
      learns_from: await store.latestTrend(),
      hash_key: await store.hashKey(),
    });
    const make = makeOf(state);
    const after = last === undefined ? 0 : await loadedFrom(state, last, slice);
    const { highest_seq } = await fold(store, state, after, slice);
    const written = await writeState(state, next, { seq: highest_seq, make }, slice);
    return { seq: highest_seq, ...written, milliseconds: monotonicMs() - start_ms };
  } finally {
    await store.close();
  }
}

/**
 * Writes a state that nobody changes meanwhile and all of which is stored.
 * @param reads fields that plugins asked for when it was made
 * @throws Error of the file system
 */
export async function writeOwn(
  state: State,
  reads: Read[],
  next: CheckpointFile,
  slice: () => Promise<void>,
): Promise<Written> {
  const start_ms = monotonicMs();
  const {
    seq,
    vocabulary,
    setup: { hash_key },
  } = state;
  const make = makeOf(new State({ fields: new Fields(reads), vocabulary, hash_key }));
  const written = await writeState(state, next, { seq, make }, slice);
  return { seq, ...written, milliseconds: monotonicMs() - start_ms };
}

function writeState(
  state: State,
  { file, name }: CheckpointFile,
  head: Pick<Head, 'seq' | 'make'>,
  slice: () => Promise<void>,
): Promise<Pick<Written, 'bytes' | 'digest'>> {
  // Texts that only erased users used are not to live on in checkpoints.
  state.forgetUnused();
  return writeCheckpoint(file, { ...head, name }, imageOf(state), slice);
}

/** `seq` of the last checkpoint; 0 when it cannot be used, which whoever starts on it will say. */
async function loadedFrom(
  state: State,
  last: CheckpointFile & CheckpointEntry,
  slice: () => Promise<void>,
): Promise<number> {
  try {
    return await loadCheckpoint(state, last.file, last, slice);
  } catch (error) {
    if (error instanceof Unusable) return 0;
    throw error;
  }
}
