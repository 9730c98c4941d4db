import type { Seconds } from './clock.ts';

/** A bucket of tokens that refills at a constant rate, which the caller may change at any time. */
export class TokenBucket {
  /** A new bucket is full. */
  private tokens: number | undefined;
  private at: Seconds = 0;

  /**
   * Takes tokens if there are enough. O(1).
   * @param tokens_max what the bucket holds; at least `count` and `spare`, or it never has enough
   * @param spare the number of tokens that must remain
   * @returns 0, or the time until there are enough
   */
  take(now: Seconds, per_second: number, tokens_max: number, count = 1, spare = 0): Seconds {
    // After the clock was set back, the bucket neither gains nor loses tokens.
    const gained = Math.max(0, now - this.at) * per_second;
    const tokens = Math.min(tokens_max, (this.tokens ?? tokens_max) + gained);
    this.at = now;
    const needed = count + spare;
    this.tokens = tokens < needed ? tokens : tokens - count;
    return tokens < needed ? (needed - tokens) / per_second : 0;
  }
}
