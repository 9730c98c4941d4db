import { COUNTERS } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { Check } from './check.ts';

const SHOWN = { likes_count: 'likes', comments_count: 'comments', shares_count: 'shares' } as const;

/**
 * Counts the acts and follows in the logs of users again and compares them with the totals in memory.
 *
 * O(acts + follows). The state must be settled.
 */
export function checkTotals(state: State, check: Check): void {
  checkCounters(state, check);
  checkFollows(state, check);
}

function checkCounters(state: State, check: Check): void {
  const { users, items, interactions, vocabulary } = state;
  const { by_user, by_item } = interactions;
  const counted = new Float64Array(items.size * COUNTERS.length);
  const logged = new Float64Array(items.size);
  for (let user = 0; user < users.size; user++) {
    const counts = !users.hidden(user);
    for (let at = by_user.start(user); at < by_user.end(user); at++) {
      const event_type = by_user.event_type(at);
      if (by_user.removed(at) || !vocabulary.isOfItem(event_type)) continue;
      const item = by_user.other(at);
      logged[item]++;
      const place = vocabulary.counterPlace(event_type);
      if (!counts || place === NONE) continue;
      // Earlier acts are part of the source's count.
      if (by_user.timestamp(at) > items.counted_at(item, COUNTERS[place]))
        counted[item * COUNTERS.length + place]++;
    }
  }
  for (let item = 0; item < items.size; item++) {
    if (!items.names.holds(item)) continue;
    const key = items.names.key(item);
    if (by_item.length(item) !== logged[item])
      check.fault(
        'acts',
        `item ${key} has ${by_item.length(item)} acts, and the logs of users have ${logged[item]} on it`,
      );
    for (const [place, counter] of COUNTERS.entries()) {
      const shown = items[counter](item);
      const expected = items.source(item, counter) + counted[item * COUNTERS.length + place];
      if (shown !== expected)
        check.fault(counter, `item ${key} has ${shown} ${SHOWN[counter]}, and its acts give ${expected}`);
    }
  }
}

function checkFollows({ users, follows }: State, check: Check): void {
  const followers = new Float64Array(users.size);
  for (let user = 0; user < users.size; user++) {
    const following = follows.following(user);
    for (const target of following) followers[target]++;
    if (follows.count(user) !== following.length)
      check.fault(
        'following',
        `user ${users.names.key(user)} counts ${follows.count(user)} follows and has ${following.length}`,
      );
  }
  for (let user = 0; user < users.size; user++) {
    const known = follows.followers(user).length;
    if (known !== followers[user])
      check.fault(
        'followers',
        `user ${users.names.key(user)} has ${known} followers, and the follows of others give ${followers[user]}`,
      );
  }
}
