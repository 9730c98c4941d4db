/** Each bucket ends a tenth above the one before: 50 µs to half a minute. */
const FIRST_MS = 0.05;
const FACTOR = 1.1;
const BUCKETS = 140;

/** Counts durations in buckets, for quantiles that are exact to a tenth. */
export class LatencyHistogram {
  private readonly counts = new Uint32Array(BUCKETS);
  private total = 0;

  add(milliseconds: number): void {
    const bucket = Math.ceil(Math.log(milliseconds / FIRST_MS) / Math.log(FACTOR));
    // Durations of 0 give a bucket of -∞.
    this.counts[Math.min(BUCKETS - 1, Math.max(0, bucket))]++;
    this.total++;
  }

  /** A duration that this share of all durations does not exceed, rounded up to a bucket. Null if there are none. */
  quantile(share: number): number | null {
    let left = Math.ceil(this.total * share);
    if (left === 0) return null;
    let bucket = 0;
    while (left > this.counts[bucket]) left -= this.counts[bucket++];
    return Number((FIRST_MS * FACTOR ** bucket).toPrecision(3));
  }

  clear(): void {
    this.counts.fill(0);
    this.total = 0;
  }
}
