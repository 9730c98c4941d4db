import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkpointFile, listsFile } from '../checkpoint/folder.ts';
import { OtherMake, Unusable } from '../checkpoint/head.ts';
import { readLists } from '../checkpoint/list-file.ts';
import { loadCheckpoint } from '../checkpoint/load.ts';
import type { Key } from '../model/key.ts';
import { packedFault } from '../signals/packed-lists.ts';
import { MEANINGS_PIECE, packedMeaningsFault } from '../signals/packed-meanings.ts';
import type { State } from '../state/state.ts';
import type { CheckpointEntry } from '../store/checkpoint-store.ts';
import type { CommunityName, Location } from '../store/connection.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The remedy for a checkpoint or lists that cannot be used. Both are only copies. */
export const NOTHING_LOST =
  'nothing is lost; stop the service, remove the file and start it again: it reads all changes';

/** The state of a checkpoint, and the `seq` of the last change in it. */
export interface Loaded {
  state: State;
  seq: number;
}

/**
 * Loads the recorded checkpoint into an empty state.
 * @returns what was loaded, or a finding that says why nothing was
 */
export async function openCheckpoint(
  place: Location,
  community: CommunityName,
  database_id: string,
  entry: CheckpointEntry | undefined,
  state: State,
): Promise<Loaded | Finding> {
  if (entry === undefined) return ok('checkpoint', `${community}: there is none yet`);
  const file = checkpointFile(place, database_id, entry.name);
  try {
    return { state, seq: await loadCheckpoint(state, file, entry, nextTurn) };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const message = `${community}: '${file}' cannot be used: ${error.message}`;
    if (!(error instanceof OtherMake)) return fail('checkpoint', message, NOTHING_LOST);
    return warn(
      'checkpoint',
      message,
      'run this command with the version and the plugins of the service, or start the service: it writes another',
    );
  }
}

/** Reads the neighbour lists beside a checkpoint. @param wasNamed whether an item ever had this key */
export async function verifyLists(
  place: Location,
  community: CommunityName,
  database_id: string,
  entry: CheckpointEntry | undefined,
  wasNamed: (key: Key) => boolean,
): Promise<Finding[]> {
  if (entry?.lists_digest === undefined) return [];
  const file = listsFile(place, database_id, entry.name);
  let fault: string | undefined;
  const add = (words: Int32Array) => {
    fault ??= (words[0] === MEANINGS_PIECE ? packedMeaningsFault : packedFault)(words, wasNamed);
  };
  try {
    await readLists(
      file,
      { name: entry.name, digest: entry.lists_digest },
      { add, clear: () => {} },
      nextTurn,
    );
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    fault = error.message;
  }
  if (fault === undefined) return [ok('lists', `${community}: '${file}' belongs to the checkpoint`)];
  return [fail('lists', `${community}: '${file}' cannot be used: ${fault}`, NOTHING_LOST)];
}
