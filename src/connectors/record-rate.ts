const WINDOW_MS = 60_000;
const BUCKET_MS = 5_000;

/** Records per second over the last minute, or since the start if that is shorter. */
export class RecordRate {
  private readonly buckets = new Map<number, number>();
  private readonly began_ms: number;

  constructor(private readonly monotonicMs: () => number) {
    this.began_ms = monotonicMs();
  }

  add(count: number): void {
    const bucket = Math.floor(this.monotonicMs() / BUCKET_MS);
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + count);
    this.dropOld(bucket);
  }

  get per_second(): number {
    const now_ms = this.monotonicMs();
    this.dropOld(Math.floor(now_ms / BUCKET_MS));
    const count = [...this.buckets.values()].reduce((sum, each) => sum + each, 0);
    const seconds = Math.min(WINDOW_MS, Math.max(BUCKET_MS, now_ms - this.began_ms)) / 1000;
    return Math.round((count / seconds) * 100) / 100;
  }

  private dropOld(bucket: number): void {
    for (const each of this.buckets.keys()) {
      if (each > bucket - WINDOW_MS / BUCKET_MS) break;
      this.buckets.delete(each);
    }
  }
}
