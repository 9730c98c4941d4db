/**
 * About `most` of the users, chosen by a hash of their keys. All of them if there are not more. O(users).
 *
 * Keys are the same on every node and after a restart, so equal seeds choose equal users everywhere.
 */
export function sampled(
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
