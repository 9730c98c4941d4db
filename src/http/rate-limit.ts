import { LRUCache } from 'lru-cache';
import type { Clock, Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Service } from '../service.ts';

/** Maximum number of remembered keys. A forgotten key starts with a full bucket. */
const KEYS_REMEMBERED_MAX = 10_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was computed. */
  at: Seconds;
}

/**
 * A token bucket per key.
 *
 * A bucket refills at `per_second` and holds the tokens of one second. So a key may send that many requests at once,
 * and then as many per second.
 */
export class RateLimiter {
  private readonly buckets: LRUCache<string, Bucket>;
  private readonly own_per_second: number;
  private readonly tokens_max: number;

  constructor(
    private readonly clock: Clock,
    readonly per_second: number,
    keys_max: number = KEYS_REMEMBERED_MAX,
    /** Number of processes that share the limit. Each admits an equal part of it. */
    processes = 1,
  ) {
    this.own_per_second = per_second / processes;
    this.tokens_max = Math.max(1, this.own_per_second);
    this.buckets = new LRUCache({ max: keys_max });
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.buckets.size;
  }

  /**
   * Takes a token from a key's bucket. O(1).
   * @param key identifies the key; never the key itself
   * @param who the caller in the error text
   * @throws ServiceError `rate_limited` with the seconds until the next token
   */
  take(key: string, who = 'this key'): void {
    const bucket = this.refilled(key, this.clock.now());
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    throw new ServiceError(
      'rate_limited',
      `${who} may send ${this.per_second} requests per second; try again in a moment`,
      undefined,
      Math.ceil((1 - bucket.tokens) / this.own_per_second),
    );
  }

  private refilled(key: string, now: Seconds): Bucket {
    const known = this.buckets.get(key);
    if (known === undefined) {
      const full = { tokens: this.tokens_max, at: now };
      this.buckets.set(key, full);
      return full;
    }
    // After the clock was set back, the bucket neither gains nor loses tokens.
    const elapsed = Math.max(0, now - known.at);
    known.tokens = Math.min(this.tokens_max, known.tokens + elapsed * this.own_per_second);
    known.at = now;
    return known;
  }
}

/** Creates the rate limiter of the settings, of which each of several processes has a part; undefined without a limit. */
export function createRateLimiter({ clock, settings }: Service, processes = 1): RateLimiter | undefined {
  const { rate_limit } = settings;
  return rate_limit === undefined ? undefined : new RateLimiter(clock, rate_limit, undefined, processes);
}
