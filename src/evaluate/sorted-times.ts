/** Indexes of the first `length` times in sorted order; undefined if they are sorted already. */
export function timeOrder(times: Float64Array, length: number): Uint32Array | undefined {
  let sorted = true;
  for (let at = 1; at < length && sorted; at++) sorted = times[at] >= times[at - 1];
  if (sorted) return undefined;
  const order = Uint32Array.from({ length }, (_, at) => at);
  return order.sort((one, other) => times[one] - times[other] || one - other);
}

/** Number of the first `length` times that are at most `time`. The times are sorted. O(log n). */
export function countUntil(times: Float64Array, length: number, time: number): number {
  return countWhile(length, (at) => times[at] <= time);
}

/** Number of the first `length` times that are earlier than `time`. The times are sorted. O(log n). */
export function countBefore(times: Float64Array, length: number, time: number): number {
  return countWhile(length, (at) => times[at] < time);
}

/** Length of the prefix for which `holds` is true. It must be false for all later indexes. */
function countWhile(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
