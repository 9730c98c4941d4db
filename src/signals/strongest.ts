import type { Ordinal, Reached } from '../plugin/index.ts';
import { ScoredQueue } from './scored-queue.ts';

/**
 * A queue of the `count` strongest items of what was reached, and of those that tie with the weakest of
 * them: quickselect first, so that thousands of weak items are never put in order. O(reached).
 */
export function strongest(reached: Reached, count: number): ScoredQueue {
  const { size } = reached;
  const items = new Int32Array(size);
  const weights = new Float64Array(size);
  let next = 0;
  reached.forEach((item, weight) => {
    items[next] = item;
    weights[next++] = weight;
  });
  const threshold = count >= size ? Number.NEGATIVE_INFINITY : selectLargest(weights.slice(), count);
  const queue = new ScoredQueue(laterNamedFirst, Math.min(size, count * 2));
  for (let at = 0; at < size; at++) if (weights[at] >= threshold) queue.add(items[at], weights[at]);
  return queue;
}

/** Cheap, and good enough for candidates, which are ranked again. */
function laterNamedFirst(one: Ordinal, other: Ordinal): number {
  return other - one;
}

/** The `count`-th largest of the numbers, which are reordered. Hoare's quickselect, expected O(n). */
function selectLargest(numbers: Float64Array, count: number): number {
  const target = count - 1;
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1];
    let left = low;
    let right = high;
    while (left <= right) {
      while (numbers[left] > pivot) left++;
      while (numbers[right] < pivot) right--;
      if (left > right) break;
      const moved = numbers[left];
      numbers[left++] = numbers[right];
      numbers[right--] = moved;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else break;
  }
  return numbers[target];
}
