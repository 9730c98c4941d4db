import pkg from '../../package.json';
import { imageOf, restore } from '../columns/image.ts';
import { STATE_VERSION } from '../state/apply.ts';
import type { State } from '../state/state.ts';
import type { CheckpointEntry } from '../store/checkpoint-store.ts';
import { readCheckpoint, usable } from './file.ts';

/**
 * The fingerprint that a checkpoint must have to fit an empty state.
 *
 * It covers the versions of the program and of `apply`, the vocabulary, and all objects with their columns and constants, including fields
 * of plugins.
 */
export function makeOf(state: State): string {
  return fingerprint(state, `${pkg.version} ${STATE_VERSION}`);
}

/** The fingerprint that nodes of a cluster must share. Unlike checkpoints, nodes may be of different releases. */
export function formOf(state: State): string {
  return fingerprint(state, STATE_VERSION);
}

function fingerprint(state: State, version: string | number): string {
  const { outline, columns, bytes } = imageOf(state);
  const described = JSON.stringify([version, outline, columns, imageOf(state.vocabulary)]);
  const hash = bytes.reduce((so_far, each) => Bun.hash.xxHash3(each, so_far), Bun.hash.xxHash3(described));
  return hash.toString(16);
}

/**
 * Fills an empty state from a checkpoint.
 * @returns the `seq` up to which the state is complete
 * @throws Unusable if the file is missing, damaged, or of other data or another make; the state is then still empty.
 * Errors of `slice`.
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
