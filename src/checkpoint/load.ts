import pkg from '../../package.json';
import { imageOf, restore } from '../state/image.ts';
import type { State } from '../state/state.ts';
import type { CheckpointEntry } from '../store/checkpoint-book.ts';
import { readCheckpoint, usable } from './file.ts';

/**
 * What a checkpoint must have been made of to fit a state, from the state while it is empty: the version of
 * the program, the vocabulary, and every object with its columns and constants, plugins' fields among them.
 */
export function makeOf(state: State): string {
  const { outline, columns, bytes } = imageOf(state);
  const described = JSON.stringify([pkg.version, outline, columns, imageOf(state.vocabulary)]);
  const hash = bytes.reduce((so_far, each) => Bun.hash.xxHash3(each, so_far), Bun.hash.xxHash3(described));
  return hash.toString(16);
}

/**
 * Fills an empty state from a checkpoint.
 * @param slice awaited now and then
 * @returns up to which `seq` the state is complete
 * @throws Unusable when the file is not there, damaged, of other data or another make; the state is empty still. What
 * `slice` throws
 */
export async function loadCheckpoint(
  state: State,
  file: string,
  entry: CheckpointEntry,
  slice: () => Promise<void>,
): Promise<number> {
  const { outline, specs, columns } = await readCheckpoint(file, { ...entry, make: makeOf(state) }, slice);
  usable(() => restore(state, outline, specs, columns));
  return entry.seq;
}
