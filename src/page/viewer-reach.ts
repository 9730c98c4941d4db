import { NONE, type Reached, type RequestContext } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../signals/affinity.ts';
import { reachByProfile } from '../signals/profile.ts';
import type { Engine } from './engine.ts';
import type { PageSoFar } from './page-so-far.ts';

type ViewerReach = Pick<RequestContext, 'walk' | 'affinity' | 'profile' | 'meaning' | 'social_proof'>;

interface Base extends Pick<RequestContext, 'viewer' | 'now' | 'effort'> {
  readonly engine: Engine;
  readonly page: PageSoFar;
  readonly eligible_until: number;
}

/** Adds the items that are reached from the viewer, computed once per page, method and options. */
export function withViewerReach<B extends Base>(base: B): B & ViewerReach {
  const { engine, page, viewer, now, effort, eligible_until } = base;
  const { state, scratch, walk, meanings } = engine;
  const known = new Map<string, Reached>();
  const reached = (key: string, compute: (into: Accumulator) => void): Reached => {
    page.refuseWhenEnded();
    const before = known.get(key);
    if (before !== undefined) return before;
    const into = scratch.accumulators.take();
    if (viewer !== NONE) compute(into);
    known.set(key, into);
    return into;
  };
  return {
    ...base,
    walk(options) {
      const { history, half_life_hours, within_hours = '' } = options;
      return reached(`walk ${history} ${half_life_hours} ${within_hours}`, (into) =>
        walk.reach(viewer, options, into, effort),
      );
    },
    affinity(options) {
      const { recent, users, half_life_hours, closest = false } = options;
      return reached(`affinity ${recent} ${users} ${half_life_hours} ${closest}`, (into) =>
        reachByAffinity(state, viewer, now, options, engine, into),
      );
    },
    profile(options) {
      const { history, values, newest } = options;
      return reached(`profile ${history} ${values} ${newest}`, (into) =>
        reachByProfile(state, viewer, eligible_until, options, scratch, into),
      );
    },
    meaning(options) {
      const { history, half_life_hours } = options;
      return reached(`meaning ${history} ${half_life_hours}`, (into) =>
        meanings.reach(viewer, options, into, effort),
      );
    },
    social_proof: () => reached('social proof', (into) => reachBySocialProof(state, viewer, into)),
  };
}
