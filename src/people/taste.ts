import type { State } from '../state/state.ts';
import { BOUNDS } from './bounds.ts';
import { latestPublicActs } from './public-acts.ts';

/** What a user's latest public acts and own items are about: weights of channels and labels, of length 1. */
export type Taste = ReadonlyMap<string, number>;

/** Labels with a lower score say little. */
const LABEL_SCORE_MIN = 0.5;

/** O(`entries_examined_max` + `taste_items_max`). Empty for a user without acts and items. */
export function tasteOf(state: State, user: number): Taste {
  const { interactions, by_author } = state;
  const sums = new Map<string, number>();
  const log = interactions.by_user;
  for (const at of latestPublicActs(log, state, user, BOUNDS.taste_acts_max))
    addSubjects(state, log.other(at), sums);
  const first = Math.max(by_author.start(user), by_author.end(user) - BOUNDS.taste_items_max);
  for (let at = by_author.end(user) - 1; at >= first; at--) addSubjects(state, by_author.item(at), sums);
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const length = Math.sqrt(squares);
  for (const [subject, sum] of sums) sums.set(subject, sum / length);
  return sums;
}

/** The cosine of two tastes, from 0 to 1. */
export function likeness(one: Taste, other: Taste): number {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [subject, weight] of fewer) sum += weight * (more.get(subject) ?? 0);
  return Math.min(1, sum);
}

function addSubjects(state: State, item: number, sums: Map<string, number>): void {
  if (!state.live(item)) return;
  const { channel, label } = state.groups;
  const code = channel.of(item);
  if (code >= 0) addTo(sums, `channel ${code}`, 1);
  label.any(item, (of_label, score) => {
    if (score >= LABEL_SCORE_MIN) addTo(sums, `label ${of_label}`, score);
    return false;
  });
}

function addTo(sums: Map<string, number>, subject: string, weight: number): void {
  sums.set(subject, (sums.get(subject) ?? 0) + weight);
}
