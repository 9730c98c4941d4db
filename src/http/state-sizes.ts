import type { State } from '../state/state.ts';

/** What is in memory, by kind; ordinals are those of items that are gone: not free yet, and free. */
export function stateSizes({ state }: { state: State }): Record<string, number> {
  const { users, items, follows, interactions, recycler } = state;
  return {
    users: users.names.count,
    items: items.names.count,
    follows: follows.size,
    interactions: interactions.by_user.size,
    ordinals_pending: recycler.size,
    ordinals_free: items.names.released,
  };
}
