import type { State } from './state.ts';

/** Changes after which it is time to collect what applying them has left. */
export const COLLECT_EVERY = 1_000_000;

/**
 * To be called now and then while many changes are applied: collects garbage every million of them, some 30 ms each.
 * By itself the engine lets garbage grow in proportion to all memory, columns included: to 6 GB beside the 4.6 GB
 * of a community of a million users.
 */
export function garbageCollector(state: Pick<State, 'seq'>): () => void {
  let collected = state.seq;
  return () => {
    if (state.seq - collected < COLLECT_EVERY) return;
    collected = state.seq;
    Bun.gc(true);
  };
}
