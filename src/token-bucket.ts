import type { Seconds } from './clock.ts';

/** A bucket of tokens that refills at a constant rate, which the caller may change at any time. */
export class TokenBucket {
  /** A new bucket is full. */
  private tokens: number | undefined;
  private at: Seconds = 0;

  /**
   * Takes tokens if there are enough. O(1).
   * @param tokens_max what the bucket holds; at least `count`, or it never has enough
   * @returns 0, or the time until there are enough
   */
  take(now: Seconds, per_second: number, tokens_max: number, count = 1): Seconds {
    // After the clock was set back, the bucket neither gains nor loses tokens.
    const gained = Math.max(0, now - this.at) * per_second;
    const tokens = Math.min(tokens_max, (this.tokens ?? tokens_max) + gained);
    this.at = now;
    this.tokens = tokens < count ? tokens : tokens - count;
    return tokens < count ? (count - tokens) / per_second : 0;
  }
}
