/**
 * Whether a JSON value has more levels of objects and arrays than allowed.
 *
 * Recursive functions such as `JSON.stringify` exhaust the stack at some tens of thousands of levels. O(the value), at
 * most `levels` deep.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // `Object.values` of an array would first create a string for each index.
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isDeeperThan(inner, levels - 1));
}
