/** Who might read an author or an item of a topic and language: draws shared by follows and audiences. */

import type { Random } from '../../src/clock.ts';
import { indexOfShare, skewedIndex } from './chance.ts';
import type { People, Pools } from './people.ts';
import { ENGLISH, LANGUAGE_SHARES } from './topics.ts';

/** No such user. */
export const NOBODY = -1;

/** How often people whose language is not English turn to English. */
const READS_ENGLISH = 0.45;

/** Can `user` be expected to read `language`? English is read by many, other languages by their own. */
export function reads(people: People, user: number, language: number, random: Random): boolean {
  if (people.language[user] === language) return true;
  return language === ENGLISH && random() < READS_ENGLISH;
}

/** A user interested in the topic who reads the language, high ranks more often; NOBODY if there is none. */
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
  if (pool.length === 0) return NOBODY;
  return pool[skewedIndex(random, pool.length, skew)];
}

/**
 * Anybody of `users` whose mark is not `mark`, scanning from a random place; NOBODY if all are marked.
 * O(users) at worst: the last resort after several draws were refused.
 */
export function anyoneUnmarked(users: Uint32Array, marks: Uint32Array, mark: number, random: Random): number {
  const start = Math.floor(random() * users.length);
  for (let step = 0; step < users.length; step++) {
    const user = users[(start + step) % users.length];
    if (marks[user] !== mark) return user;
  }
  return NOBODY;
}
