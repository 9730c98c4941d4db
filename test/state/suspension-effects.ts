import { Accumulator } from '../../src/signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../../src/signals/affinity.ts';
import { closenessTo } from '../../src/signals/closeness.ts';
import { LatestActs } from '../../src/signals/latest-acts.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { SignificantActs } from '../../src/signals/significant-acts.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { Activity } from '../../src/state/activity.ts';
import { engagementSince, repeatedSince } from '../../src/state/engagement.ts';
import type { State } from '../../src/state/state.ts';
import { weightsOf } from '../support/scene.ts';

const AFFINITY = { recent: 20, users: 100, half_life_hours: 24 };
/** Seconds before the last change over which engagement is counted. */
const WINDOWS = [0, 1, 10, 600, 3600, Number.POSITIVE_INFINITY];

/** The effects of users' acts on others: all inputs of ranking, by public identifiers. */
export function effectsOfActs(state: State): object {
  return {
    items: Object.fromEntries(named(state.items).map(([item, id]) => [id, effectsOnItem(state, item)])),
    viewers: Object.fromEntries(
      named(state.users)
        .filter(([user]) => !state.users.hidden(user))
        .map(([viewer, id]) => [id, effectsOnViewer(state, viewer)]),
    ),
    follows: state.follows.counted,
  };
}

function named({ names }: State['items'] | State['users']): [ordinal: number, id: string][] {
  const all = Array.from({ length: names.size }, (_, ordinal): [number, string] => [
    ordinal,
    names.id(ordinal),
  ]);
  return all.filter(([, id]) => id !== '');
}

function effectsOnItem(state: State, item: number): object {
  const { items, interactions, applied_at } = state;
  const { repeats } = new Scratch(state);
  const activity = new Activity(state);
  activity.measure(item, applied_at);
  const { within, observed, age, last_at, total, comments, comments_within_hour } = activity;
  const spread = new Accumulator();
  new WalkSteps(state).spread(item, 3, 4, spread);
  return {
    shown: [items.likes_count(item), items.comments_count(item), items.shares_count(item)],
    degree: interactions.by_item.standing(item),
    engagement: WINDOWS.map((window) => engagementSince(state, item, applied_at - window)),
    repeated: WINDOWS.map((window) => repeatedSince(state, repeats, item, applied_at - window)),
    activity: { within, observed, age, last_at, total, comments, comments_within_hour },
    gained: activity.gained(item, applied_at - 3600, applied_at),
    spread: byId(state, spread),
  };
}

function effectsOnViewer(state: State, viewer: number): object {
  const scratch = new Scratch(state);
  const works = { latest_acts: new LatestActs(state), scratch };
  const [all, closest, proof] = [new Accumulator(), new Accumulator(), new Accumulator()];
  reachByAffinity(state, viewer, state.applied_at, AFFINITY, works, all);
  reachByAffinity(state, viewer, state.applied_at, { ...AFFINITY, closest: true, users: 1 }, works, closest);
  reachBySocialProof(state, viewer, state.applied_at, proof);
  const closeness = closenessTo(state, viewer, SignificantActs.ofUsers(state));
  const others = named(state.users).filter(([user]) => !state.users.hidden(user));
  return {
    affinity: [byId(state, all), byId(state, closest)],
    social_proof: byId(state, proof),
    closeness: Object.fromEntries(others.map(([user, id]) => [id, closeness(user)])),
    followers: state.follows.followerCount(viewer),
  };
}

function byId({ items }: State, reached: Accumulator): object {
  const weights = [...weightsOf(reached)].map(([item, weight]) => [items.names.id(item), weight] as const);
  return Object.fromEntries(weights.sort(([one], [other]) => (one < other ? -1 : 1)));
}
