import type { State } from '../state/state.ts';

/** The number of interactions of hidden users that are suspended per slice. */
export const SETTLED_AT_ONCE = 10_000;

/**
 * Finishes the work of `State.settle`. After that, only changes modify the state.
 * @throws errors of `slice`
 */
export async function settle(state: State, slice: () => Promise<void>): Promise<void> {
  while (state.settle(SETTLED_AT_ONCE)) await slice();
}
