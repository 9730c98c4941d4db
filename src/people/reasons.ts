import { NAMED_PER_REASON_MAX } from '../model/reasons.ts';
import type { State } from '../state/state.ts';

import { usersOf } from './sources.ts';

/** Tastes that are less alike are not given as a reason. */
export const TASTE_TOLD_MIN = 0.3;

/** Those of some users who follow a candidate. O(users) until enough are found. */
export function followersAmong(
  { follows, users }: State,
  among: readonly number[],
  candidate: number,
): string[] {
  const found: string[] = [];
  for (const user of among) {
    if (found.length === NAMED_PER_REASON_MAX) break;
    if (follows.follows(user, candidate)) found.push(users.names.id(user));
  }
  return found;
}

/** Per candidate: the items, among some, that they acted on in public. */
export function itemsShared(
  state: State,
  items: readonly number[],
  candidates: readonly number[],
): ReadonlyMap<number, string[]> {
  const shared = new Map<number, string[]>(candidates.map((user) => [user, []]));
  for (const item of items) {
    for (const user of usersOf(state, item)) shared.get(user)?.push(state.items.names.id(item));
  }
  return shared;
}

/** The identifiers of those of some items that a user is the author of. */
export function itemsBy(state: State, items: readonly number[], author: number): string[] {
  return items
    .filter((item) => state.items.author(item) === author)
    .map((item) => state.items.names.id(item));
}
