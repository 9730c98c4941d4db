/** Maximum number of edits between the typed and the suggested name. */
const DISTANCE_MAX = 3;

/** The name most similar to the typed one; undefined if none is similar. O(names × their lengths). */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: distanceOf(typed, name) }));
  const [closest] = distances.toSorted((one, other) => one.distance - other.distance);
  if (closest === undefined || closest.distance > DISTANCE_MAX) return undefined;
  return closest.distance < Math.max(typed.length, closest.name.length) ? closest.name : undefined;
}

/** Levenshtein distance: number of characters to insert, remove or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1] + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}
