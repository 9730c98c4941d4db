/** Draws possible readers of an author or of an item with a topic and language. Shared by follows and audiences. */

import type { Random } from '../../src/clock.ts';
import { indexOfShare, skewedIndex } from './chance.ts';
import type { People, Pools } from './people.ts';
import { ENGLISH, LANGUAGE_SHARES } from './topics.ts';

/** No such user. */
export const NO_USER = -1;

/** The probability that a user with another language reads English. */
const READS_ENGLISH = 0.45;

/** Whether `user` can be expected to read `language`. Many read English, and other languages only their speakers. */
export function reads(people: People, user: number, language: number, random: Random): boolean {
  if (people.language[user] === language) return true;
  return language === ENGLISH && random() < READS_ENGLISH;
}

/** A user who has the interest and reads the language, high ranks more often. NO_USER if there is none. */
export function memberOfPool(
  pools: Pools,
  topic: number,
  language: number,
  skew: number,
  random: Random,
): number {
  let spoken = language;
  if (language === ENGLISH) {
    const other = indexOfShare(random(), LANGUAGE_SHARES);
    if (random() < READS_ENGLISH) spoken = other;
  }
  let pool = pools.of(topic, spoken);
  if (pool.length === 0) pool = pools.of(topic, language);
  if (pool.length === 0) return NO_USER;
  return pool[skewedIndex(random, pool.length, skew)];
}

/**
 * A user whose mark is not `mark`, scanning from a random position. NO_USER if all are marked.
 *
 * O(users) in the worst case: the last resort after several rejected draws.
 */
export function anyoneUnmarked(users: Uint32Array, marks: Uint32Array, mark: number, random: Random): number {
  const start = Math.floor(random() * users.length);
  for (let step = 0; step < users.length; step++) {
    const user = users[(start + step) % users.length];
    if (marks[user] !== mark) return user;
  }
  return NO_USER;
}
