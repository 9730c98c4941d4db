/** Collects what was consumed. Nothing reads it. */
const sink = new Int32Array(1);

/**
 * Keeps the reads that a value was made from. Code that touches memory ahead of its use, so that the processor fetches
 * many places at once, has no use for what it read, and a compiler may drop a read whose result is not used. Here each
 * value changes an array that outlives the call, by an operation that depends on the value and on all before it: no
 * compiler can prove that nobody will look at the array, so it can drop neither the operation nor the reads.
 * Costs one operation on one cache line: consume a sum of many reads, not each of them.
 */
export function consume(value: number): void {
  sink[0] ^= value;
}
