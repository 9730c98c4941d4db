import type { State } from '../state/state.ts';

/** Acts of hidden users that are suspended between two slices. */
export const SETTLED_AT_ONCE = 10_000;

/**
 * Finishes what waits for `State.settle`, after which nothing but changes changes the state.
 * @param slice awaited now and then
 * @throws what `slice` throws
 */
export async function settle(state: State, slice: () => Promise<void>): Promise<void> {
  while (state.settle(SETTLED_AT_ONCE)) await slice();
}
