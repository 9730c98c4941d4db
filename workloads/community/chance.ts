/** Hashes, named random streams and the distributions of a synthetic community. */

import { type Random, seededRandom } from '../../src/clock.ts';

/** Each purpose has a separate stream, so that changes of one part do not affect the others. */
export const STREAM = {
  people: 1,
  profiles: 2,
  graph: 3,
  graph_times: 4,
  items: 5,
  item_records: 6,
  audience: 7,
  demand: 8,
  wallets: 9,
  visits: 10,
} as const;

/** A well mixed 32-bit hash of two integers (the finaliser of MurmurHash3). */
export function hash32(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ (b >>> 15), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The random stream of one purpose. */
export function stream(seed: number, purpose: number): Random {
  return seededRandom(hash32(seed, purpose));
}

/** `0x` and 40 hex digits. `space` distinguishes kinds of objects that are numbered from 0. */
export function hexAddress(seed: number, space: number, ordinal: number): string {
  const base = hash32(seed, space);
  let digits = '0x';
  for (let word = 0; word < 5; word++) {
    digits += (hash32(base + word, ordinal) + 0x100000000).toString(16).slice(1);
  }
  return digits;
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)];
}

/**
 * A random index below `length`, with density proportional to `rank^(1/skew - 1)`:
 *
 * small indexes are frequent. O(1).
 */
export function skewedIndex(random: Random, length: number, skew: number): number {
  return Math.floor(length * random() ** skew);
}

/** A standard normal number (Box and Muller). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The index of the share that a number in [0, 1) falls into. The shares must add up to 1. */
export function indexOfShare(draw: number, shares: readonly number[]): number {
  let rest = draw;
  for (let index = 0; index < shares.length - 1; index++) {
    rest -= shares[index];
    if (rest < 0) return index;
  }
  return shares.length - 1;
}

/** Shuffles in place (Fisher and Yates). */
export function shuffle(random: Random, list: Uint32Array): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const kept = list[last];
    list[last] = list[other];
    list[other] = kept;
  }
}

/**
 * Splits `total` into whole counts proportional to `weights`, each at most its cap.
 *
 * The counts add up to `total` (to within one), unless the caps do not allow it. O(n).
 */
export function apportion(weights: Float64Array, caps: Float64Array, total: number): Uint32Array {
  let scale = 1;
  for (let round = 0; round < 60; round++) {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += Math.min(weights[i] * scale, caps[i]);
    if (sum === 0 || Math.abs(sum - total) < 1e-9 * total) break;
    scale *= total / sum;
  }
  const counts = new Uint32Array(weights.length);
  let exact = 0.5;
  let given = 0;
  for (let i = 0; i < weights.length; i++) {
    exact += Math.min(weights[i] * scale, caps[i]);
    counts[i] = Math.floor(exact) - given;
    given += counts[i];
  }
  return counts;
}
