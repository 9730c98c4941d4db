import type { State } from '../state/state.ts';

/** Number of objects in memory, by kind. Retired ordinals are counted as not free yet and as free. */
export function stateSizes({ state }: { state: State }): Record<string, number> {
  const { users, items, follows, interactions, recycler, experiments } = state;
  return {
    users: users.names.count,
    items: items.names.count,
    follows: follows.size,
    interactions: interactions.by_user.size,
    ordinals_pending: recycler.size,
    ordinals_free: items.names.released,
    experiment_viewers: experiments.sizes.viewers,
    experiment_exposures: experiments.sizes.exposures,
  };
}
