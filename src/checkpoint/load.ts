import pkg from '../../package.json';
import { imageOf, restore } from '../state/image.ts';
import type { State } from '../state/state.ts';
import type { CheckpointEntry } from '../store/checkpoint-book.ts';
import { readCheckpoint } from './file.ts';

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
 * @throws Unusable when the file is not there, damaged, of other data or another make; the state is empty still
 */
export async function loadCheckpoint(
  state: State,
  file: string,
  { name }: CheckpointEntry,
  slice: () => Promise<void>,
): Promise<number> {
  const { seq, outline, specs, columns } = await readCheckpoint(file, { name, make: makeOf(state) }, slice);
  restore(state, outline, specs, columns);
  return seq;
}
