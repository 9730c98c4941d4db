/** Indexes of the first `length` times in their order; undefined when that is how they are. */
export function timeOrder(times: Float64Array, length: number): Uint32Array | undefined {
  let sorted = true;
  for (let at = 1; at < length && sorted; at++) sorted = times[at] >= times[at - 1];
  if (sorted) return undefined;
  const order = Uint32Array.from({ length }, (_, at) => at);
  return order.sort((one, other) => times[one] - times[other] || one - other);
}

/** How many of the first `length` times, which are sorted, are at most `time`. O(log n). */
export function countUntil(times: Float64Array, length: number, time: number): number {
  return countWhile(length, (at) => times[at] <= time);
}

/** How many of the first `length` times, which are sorted, are earlier than `time`. O(log n). */
export function countBefore(times: Float64Array, length: number, time: number): number {
  return countWhile(length, (at) => times[at] < time);
}

/** How many of the first `length` indexes `holds` is true of, none of which follows one that it is false of. */
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
