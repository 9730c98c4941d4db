import type { Seconds } from '../clock.ts';
import { COUNTERS } from '../model/acts.ts';
import type { State } from '../state/state.ts';
import { BOUNDS } from './bounds.ts';
import { itemMayBeNamed } from './eligibility.ts';
import { latestPublicActs } from './public-acts.ts';
import type { Tally } from './tally.ts';

/**
 * About `most` of the users, chosen by a hash of their keys. All of them if there are not more. O(users).
 *
 * Keys are the same on every node and after a restart, so equal seeds choose equal users everywhere.
 */
function sampled(
  users: readonly number[],
  most: number,
  seed: number,
  keyOf: (user: number) => number,
): readonly number[] {
  if (users.length <= most) return users;
  const below = (most / users.length) * 2 ** 32;
  return users.filter((user) => mixed(keyOf(user) ^ seed) < below);
}

/** Mixes the bits of an integer. From 0 to 2^32 - 1. */
function mixed(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** Where candidates come from. Each source reads a bounded part of the state and adds to a tally. */

/**
 * The weight of what one user follows or of one item's users: low if there are very many (Adamic and Adar, "Friends
 * and neighbors on the web", 2003).
 */
export function weightOf(degree: number): number {
  return 1 / Math.log(2 + degree);
}

/**
 * Adds the users that some users follow, until `follows_read_max` follows were read. Users who follow few come first,
 * because their follows say most.
 * @returns the users whose follows were read
 */
export function addFollowed(
  { users, follows }: State,
  followers: readonly number[],
  seed: number,
  tally: Tally,
): readonly number[] {
  const keyOf = (user: number) => users.names.key(user);
  const chosen = sampled(followers, BOUNDS.follows_sampled_max, seed, keyOf)
    .filter((user) => follows.pairsOf(user) <= BOUNDS.follows_per_user_max)
    .sort((one, other) => follows.count(one) - follows.count(other) || keyOf(one) - keyOf(other));
  const read: number[] = [];
  let left: number = BOUNDS.follows_read_max;
  for (const user of chosen) {
    left -= follows.pairsOf(user);
    if (left < 0) break;
    const weight = weightOf(follows.count(user));
    for (const followed of follows.following(user)) tally.add(followed, weight);
    read.push(user);
  }
  return read;
}

/**
 * The latest different items that a user acted on in public and that may be named to the viewer, newest first.
 * @param isMuted whether the viewer mutes an item
 */
export function latestItems(
  state: State,
  user: number,
  viewer: number,
  now: Seconds,
  isMuted: ((item: number) => boolean) | undefined,
): number[] {
  const log = state.interactions.by_user;
  const items = new Set<number>();
  for (const at of latestPublicActs(log, state, user, BOUNDS.acts_read_max)) {
    if (items.size === BOUNDS.items_max) break;
    const item = log.other(at);
    if (itemMayBeNamed(state, viewer, item, now) && isMuted?.(item) !== true) items.add(item);
  }
  return [...items];
}

/** The latest different users who acted on an item in public. */
export function usersOf(state: State, item: number): Set<number> {
  const log = state.interactions.by_item;
  const found = new Set<number>();
  for (const at of latestPublicActs(log, state, item, BOUNDS.users_per_item_max)) found.add(log.other(at));
  return found;
}

/** Adds the users who acted on some items. Items with many public acts count less. */
export function addUsersOf(state: State, items: readonly number[], tally: Tally): void {
  for (const item of items) {
    const weight = weightOf(COUNTERS.reduce((sum, counter) => sum + state.items[counter](item), 0));
    for (const user of usersOf(state, item)) tally.add(user, weight);
  }
}

/** Adds the authors of some items. */
export function addAuthorsOf({ items: columns }: State, items: readonly number[], tally: Tally): void {
  for (const item of items) {
    const author = columns.author(item);
    if (author >= 0) tally.add(author, 1);
  }
}

/** The latest authors in the channels that most of some items are in. */
export function authorsOfChannels(state: State, items: readonly number[]): Set<number> {
  const { channel } = state.groups;
  const counts = new Map<number, number>();
  for (const item of items) {
    const code = channel.of(item);
    if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const strongest = [...counts].sort(([one, count], [other, more]) =>
    more === count ? (channel.value(one) < channel.value(other) ? -1 : 1) : more - count,
  );
  const authors = new Set<number>();
  for (const [code] of strongest.slice(0, BOUNDS.channels_max)) {
    const admits = (item: number) => state.live(item);
    for (const item of channel.postings.newest(code, BOUNDS.items_per_channel_max, admits)) {
      const author = state.items.author(item);
      if (author >= 0) authors.add(author);
    }
  }
  return authors;
}
