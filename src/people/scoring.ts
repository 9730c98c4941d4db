import { BOUNDS } from './bounds.ts';
import type { Tally } from './tally.ts';

/** The signals of one candidate, each from 0 to 1. */
export interface Signals {
  /** Common follows, or common followers. */
  follows: number;
  /** Public acts on the same items. */
  acts: number;
  /** Acts of the viewer on the candidate's items. */
  author: number;
  /** Whether the candidate follows the viewer. */
  follows_back: number;
  /** Common channels and labels. */
  taste: number;
  /** The share of all users who follow the candidate. */
  popularity: number;
}

export interface Formula {
  /** How much each signal can raise the score. */
  weights: Readonly<Signals>;
  /** How much the number of a candidate's followers damps common follows: 0 not at all, 1 in proportion. */
  hub_damping: number;
}

/** Whom to follow. Users whom many follow are likely choices, so hubs are not damped. */
export const TO_FOLLOW: Formula = {
  weights: { follows: 0.9, acts: 0.5, author: 0.5, follows_back: 0.25, taste: 0.15, popularity: 1 },
  hub_damping: 0,
};

/** Who is like a user. Hubs have followers in common with everybody. */
export const ALIKE: Formula = { weights: { ...TO_FOLLOW.weights, popularity: 0.02 }, hub_damping: 0.3 };

/** Sums of weights at which a signal reaches one half. */
const HALF = { follows: 1.5, author: 3 } as const;

/**
 * The score of a candidate, from 0 to 1: `1 - Π (1 - weight · signal)`. A signal never lowers it, and two signals give
 * more than either.
 */
export function scoreOf(signals: Signals, { weights }: Formula): number {
  let rest = 1;
  for (const name of Object.keys(weights) as (keyof Signals)[]) rest *= 1 - weights[name] * signals[name];
  return 1 - rest;
}

/** @param sum Adamic-Adar sum of the common follows */
export function followsSignal(sum: number, followers: number, { hub_damping }: Formula): number {
  return saturated(sum / Math.max(1, followers) ** hub_damping, HALF.follows);
}

/** The cosine of two users' acts, with rare items weighted higher. @param acts public ones of each user */
export function actsSignal(sum: number, acts: number, acts_of_other: number): number {
  return Math.min(1, sum / Math.sqrt(Math.max(1, acts) * Math.max(1, acts_of_other)));
}

export function authorSignal(acts: number): number {
  return saturated(acts, HALF.author);
}

/** The share of all users who follow a user: how likely anybody is to follow them. */
export function popularitySignal(followers: number, users: number): number {
  return Math.min(1, followers / Math.max(1, users));
}

function saturated(value: number, half: number): number {
  return value / (value + half);
}

/**
 * The users of a tally with the highest values, `candidates_per_source_max` at most.
 * @param left_out how many users `allowed` may refuse before fewer are returned than could be
 */
export function strongest(
  { users }: Pick<Tally, 'users'>,
  left_out: number,
  allowed: (user: number) => boolean,
  weigh: (user: number) => number,
  keyOf: (user: number) => number,
): number[] {
  const most = BOUNDS.candidates_per_source_max;
  const values = Float64Array.from(users, weigh);
  // Sorting numbers is much faster than sorting users, so only users above a threshold are sorted.
  const least = values.toSorted()[Math.max(0, values.length - most - left_out)];
  const valued = users.flatMap((user, at) => (values[at] < least ? [] : [{ user, value: values[at] }]));
  valued.sort((one, other) => other.value - one.value || keyOf(one.user) - keyOf(other.user));
  const chosen: number[] = [];
  for (const { user } of valued) {
    if (chosen.length === most) break;
    if (allowed(user)) chosen.push(user);
  }
  return chosen;
}
