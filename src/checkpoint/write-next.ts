import { monotonicMs } from '../clock.ts';
import { imageOf } from '../columns/image.ts';
import type { Read } from '../plugin/index.ts';
import { Fields } from '../state/fields.ts';
import { fillWords } from '../state/fill-words.ts';
import { State } from '../state/state.ts';
import { CONTENT, type Vocabulary, WALLETS } from '../state/vocabulary.ts';
import type { CheckpointEntry } from '../store/checkpoint-store.ts';
import type { CommunityName } from '../store/connection.ts';
import { foldOptions } from '../store/fold-options.ts';
import { openStore } from '../store/open-store.ts';
import { writeCheckpoint } from './file.ts';
import { fold } from './fold.ts';
import { type Head, Unusable } from './head.ts';
import { loadCheckpoint, makeOf } from './load.ts';

export const VOCABULARIES: Readonly<Record<CommunityName, Vocabulary>> = {
  content: CONTENT,
  wallets: WALLETS,
};

export interface CheckpointFile extends Pick<CheckpointEntry, 'name'> {
  file: string;
}

/** The job of a process that writes a checkpoint. */
export interface Job {
  data: string;
  database_url?: string;
  community: CommunityName;
  reads: Read[];
  /** Whether the process holds the words of items, so that the next start needs them. */
  has_words?: boolean;
  next: CheckpointFile;
  last?: CheckpointFile & CheckpointEntry;
}

export interface Written {
  seq: number;
  bytes: number;
  digest: string;
  milliseconds: number;
}

/**
 * Loads the last checkpoint, applies newer changes, and writes the next one, while the service may be running.
 * @throws StartupError; file system errors
 */
export async function writeNext(
  { reads, has_words, next, last, ...place }: Job,
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
      ...(await foldOptions(store)),
    });
    const make = makeOf(state);
    const after = last === undefined ? 0 : await loadedFrom(state, last, slice);
    if (!has_words) state.words.turnOff();
    const { highest_seq } = await fold(store, state, after, slice);
    if (has_words && !state.words.is_complete) await fillWords(state, store, slice);
    const written = await writeState(state, next, { seq: highest_seq, make }, slice);
    return { seq: highest_seq, ...written, milliseconds: monotonicMs() - start_ms };
  } finally {
    await store.close();
  }
}

/**
 * Writes a state that does not change meanwhile and is completely stored.
 * @param reads the fields that plugins read when it was made
 * @throws file system errors
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
  // Texts that only erased users used must not stay in checkpoints.
  state.forgetUnused();
  return writeCheckpoint(file, { ...head, name }, imageOf(state), slice);
}

/** `seq` of the last checkpoint. 0 if it cannot be used; the service's next start logs the reason. */
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
