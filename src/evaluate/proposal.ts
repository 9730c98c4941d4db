import { HALF_LIFE_HOURS, type TimeDecay } from '../feeds/compile-feed.ts';
import type { Contestant } from './contestant.ts';
import { fitWeights } from './fit-weights.ts';
import { contestantOf, type OwnFeed } from './own-feeds.ts';
import type { Choice } from './signal-reader.ts';

/** What a proposal changes in the configuration of a feed. An undefined decay switches it off. */
export interface Proposal {
  scoring?: { name: string; options: { weights: Record<string, number> } };
  time_decay?: TimeDecay;
}

const DECAYS: readonly (TimeDecay | undefined)[] = [
  undefined,
  'low',
  'medium',
  'high',
  { half_life_hours: 4 },
];

function halfLife(decay: TimeDecay | undefined): number {
  if (decay === undefined) return Number.POSITIVE_INFINITY;
  return typeof decay === 'object' ? decay.half_life_hours : HALF_LIFE_HOURS[decay];
}

/** The other decays that a feed could have. */
export function otherDecays({ parameters: { time_decay } }: OwnFeed): Proposal[] {
  const others = DECAYS.filter((decay) => halfLife(decay) !== halfLife(time_decay));
  return others.map((decay): Proposal => ({ time_decay: decay }));
}

/**
 * The weights that make choices most likely: with the decay of the feed, and with the decay that makes them most likely.
 * @param names the signals of the choices
 */
export function otherWeights(
  feed: OwnFeed,
  choices: readonly Choice[],
  names: readonly string[],
): Proposal[] {
  const { time_decay } = feed.parameters;
  const fits = [{}, ...otherDecays(feed)].map((change: Proposal) => {
    const decay = 'time_decay' in change ? change.time_decay : time_decay;
    const { weights, log_likelihood } = fitWeights(choices, halfLife(decay));
    const named = names.map((name, at): [string, number] => [name, weights[at]]);
    const options = { weights: Object.fromEntries(named.filter(([, weight]) => weight > 0)) };
    return { log_likelihood, proposal: { scoring: { name: 'weighted_v0.0.1', options }, ...change } };
  });
  const [own] = fits;
  const best = fits.reduce((one, other) => (other.log_likelihood > one.log_likelihood ? other : one));
  return [...new Set([own, best])]
    .map(({ proposal }) => proposal)
    .filter(({ scoring }) => Object.keys(scoring.options.weights).length > 0);
}

/** The feed with a change, which is not saved. */
export function contestantWith(feed: OwnFeed, name: string, proposal: Proposal): Contestant {
  const { request } = contestantOf(feed);
  return { name, request: { ...request, ...proposal } };
}

/** The body of `PATCH /api/feed/config?merge=true` that makes a change. */
export function patchOf({ feed_id: config_id }: OwnFeed, proposal: Proposal): object {
  const config = Object.entries(proposal).map(([key, value]) => [key, value ?? null]);
  return { config_id, config: Object.fromEntries(config) };
}
