/**
 * The users: interests, language, circle and rank, as columns by ordinal.
 *
 * A *circle* is a block of consecutive users who mostly share a first interest and a language, like a group of
 * friends.
 * *Newcomers* (4 %) have just joined. They follow a few users and have no interactions.
 */

import type { Random } from '../../src/clock.ts';
import { indexOfShare, STREAM, shuffle, stream } from './chance.ts';
import { LANGUAGE_SHARES, LANGUAGES, TOPIC_SHARES, TOPICS } from './topics.ts';

/** Maximum number of interests per user, and the stride of `People.interests`. */
const INTERESTS_MAX = 4;
const NEWCOMER_SHARE = 0.04;
/** The shares of users with 2, 3 and 4 interests. */
const INTEREST_COUNT_SHARES = [0.5, 0.35, 0.15];
const NO_TOPIC = 255;

export interface People {
  count: number;
  circle_size: number;
  /** `INTERESTS_MAX` topic codes per user, the strongest first. 255: none. */
  interests: Uint8Array;
  /** Bit t is set if the user is interested in topic t. */
  interest_bits: Uint16Array;
  language: Uint8Array;
  /** 1 for newcomers. */
  newcomer: Uint8Array;
  /** Users except newcomers, the most followed and most prolific first. */
  by_prominence: Uint32Array;
  /** Users except newcomers, the most active readers first. */
  by_activity: Uint32Array;
}

/** Users of one topic and language, by rank. */
export interface Pools {
  of(topic: number, language: number): Uint32Array;
}

/** Whether the user is interested in the topic. */
export function isInterested(people: People, user: number, topic: number): boolean {
  return ((people.interest_bits[user] >>> topic) & 1) === 1;
}

/** The topic codes of a user, the strongest first. */
export function interestsOf(people: People, user: number): Uint8Array {
  const slots = people.interests.subarray(user * INTERESTS_MAX, (user + 1) * INTERESTS_MAX);
  const end = slots.indexOf(NO_TOPIC);
  return end < 0 ? slots : slots.subarray(0, end);
}

/** A random member of the user's circle. */
export function memberOfCircle(people: People, user: number, random: Random): number {
  const first = user - (user % people.circle_size);
  const size = Math.min(people.circle_size, people.count - first);
  return first + Math.floor(random() * size);
}

function rankedUsers(people: People, random: Random): Uint32Array {
  const ranked = new Uint32Array(people.count);
  let length = 0;
  for (let user = 0; user < people.count; user++) {
    if (people.newcomer[user] === 0) ranked[length++] = user;
  }
  const established = ranked.slice(0, length);
  shuffle(random, established);
  return established;
}

function drawInterests(people: People, user: number, theme: number, random: Random): void {
  const wanted = 2 + indexOfShare(random(), INTEREST_COUNT_SHARES);
  let bits = 0;
  let found = 0;
  while (found < wanted) {
    const follows_theme = found === 0 && random() < 0.8;
    const topic = follows_theme ? theme : indexOfShare(random(), TOPIC_SHARES);
    if ((bits >>> topic) & 1) continue;
    bits |= 1 << topic;
    people.interests[user * INTERESTS_MAX + found++] = topic;
  }
  people.interest_bits[user] = bits;
}

/**
 * A code for each of `count` circles, in random order and in exact proportion to the shares.
 *
 * So even a small community has some circles of each code.
 */
function stratified(count: number, shares: readonly number[], random: Random): Uint32Array {
  const codes = Uint32Array.from({ length: count }, (_, index) =>
    indexOfShare((index + 0.5) / count, shares),
  );
  shuffle(random, codes);
  return codes;
}

/** Draws all users. O(users). */
export function createPeople(seed: number, count: number): People {
  const random = stream(seed, STREAM.people);
  const people: People = {
    count,
    circle_size: Math.max(8, Math.min(80, Math.round(Math.sqrt(count)))),
    interests: new Uint8Array(count * INTERESTS_MAX).fill(NO_TOPIC),
    interest_bits: new Uint16Array(count),
    language: new Uint8Array(count),
    newcomer: new Uint8Array(count),
    by_prominence: new Uint32Array(0),
    by_activity: new Uint32Array(0),
  };
  const circle_count = Math.ceil(count / people.circle_size);
  const themes = stratified(circle_count, TOPIC_SHARES, random);
  const languages = stratified(circle_count, LANGUAGE_SHARES, random);
  for (let user = 0; user < count; user++) {
    const circle = Math.floor(user / people.circle_size);
    people.language[user] = random() < 0.85 ? languages[circle] : indexOfShare(random(), LANGUAGE_SHARES);
    people.newcomer[user] = user > 1 && random() < NEWCOMER_SHARE ? 1 : 0;
    drawInterests(people, user, themes[circle], random);
  }
  people.by_prominence = rankedUsers(people, random);
  people.by_activity = rankedUsers(people, random);
  return people;
}

/** Splits ranked users by topic and language, in the same order. O(users). */
export function createPools(people: People, ranked: Uint32Array): Pools {
  const width = LANGUAGES.length;
  const starts = new Uint32Array(TOPICS.length * width + 1);
  for (const user of ranked) {
    for (const topic of interestsOf(people, user)) starts[topic * width + people.language[user] + 1]++;
  }
  for (let pool = 1; pool < starts.length; pool++) starts[pool] += starts[pool - 1];
  const members = new Uint32Array(starts[starts.length - 1]);
  const next = starts.slice();
  for (const user of ranked) {
    for (const topic of interestsOf(people, user)) {
      members[next[topic * width + people.language[user]]++] = user;
    }
  }
  return {
    of: (topic, language) =>
      members.subarray(starts[topic * width + language], starts[topic * width + language + 1]),
  };
}
