/**
 * The `length` items with the highest scores, best first. Of equal items, the later one in `items` comes first.
 * O(items + improvements × length).
 */
export function best(items: readonly number[], score: (item: number) => number, length: number): number[] {
  const chosen: number[] = [];
  const scores: number[] = [];
  if (length === 0) return chosen;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    const value = score(item);
    if (chosen.length === length) {
      if (!(value > scores[length - 1])) continue;
      chosen.pop();
      scores.pop();
    }
    let at = chosen.length;
    while (at > 0 && scores[at - 1] < value) at--;
    chosen.splice(at, 0, item);
    scores.splice(at, 0, value);
  }
  return chosen;
}
