/**
 * Whether a JSON value has more levels of objects and arrays than allowed. What walks a value recursively, like
 * `JSON.stringify`, runs out of stack on some tens of thousands of levels. O(the value), at most `levels` deep.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // `Object.values` of an array would make a string of each index first.
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isDeeperThan(inner, levels - 1));
}
