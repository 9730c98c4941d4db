/** The value below which `share` of the values lie. NaN if there are none. O(n log n). */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The median. For an even number of values, the upper of the two middle ones. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
