/** Receives consumed values. Never read. */
const sink = new Int32Array(1);

/**
 * Keeps the compiler from removing the reads that a value was made from.
 *
 * Some code reads memory ahead of its use, so that the processor fetches many places at once, and discards the
 * result. A compiler may remove such reads. The array here outlives the call, and each value changes it, so the reads
 * have an effect. Costs one operation on one cache line: pass a sum of many reads, not each read.
 */
export function consume(value: number): void {
  sink[0] ^= value;
}
