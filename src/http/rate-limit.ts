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

export interface RateLimiterOptions {
  /** Maximum number of remembered keys. */
  keys_max?: number;
  /**
   * Number of processes that share the limit of a key, this one included. Each admits an equal part. It may change at
   * any time. Default 1.
   */
  sharers?: () => number;
}

/**
 * A token bucket per key.
 *
 * A bucket refills at the process's part of `per_second` and holds the tokens of one second, at least one. So a key may
 * send that many requests at once, and then as many per second.
 */
export class RateLimiter {
  private readonly buckets: LRUCache<string, Bucket>;
  private readonly sharers: () => number;

  constructor(
    private readonly clock: Clock,
    readonly per_second: number,
    { keys_max = KEYS_REMEMBERED_MAX, sharers = () => 1 }: RateLimiterOptions = {},
  ) {
    this.buckets = new LRUCache({ max: keys_max });
    this.sharers = sharers;
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
    const own_per_second = this.per_second / Math.max(1, this.sharers());
    const bucket = this.refilled(key, own_per_second);
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    throw new ServiceError(
      'rate_limited',
      `${who} may send ${this.per_second} requests per second; try again in a moment`,
      undefined,
      Math.ceil((1 - bucket.tokens) / own_per_second),
    );
  }

  private refilled(key: string, own_per_second: number): Bucket {
    const now = this.clock.now();
    const tokens_max = Math.max(1, own_per_second);
    const known = this.buckets.get(key);
    if (known === undefined) {
      const full = { tokens: tokens_max, at: now };
      this.buckets.set(key, full);
      return full;
    }
    // After the clock was set back, the bucket neither gains nor loses tokens.
    const elapsed = Math.max(0, now - known.at);
    known.tokens = Math.min(tokens_max, known.tokens + elapsed * own_per_second);
    known.at = now;
    return known;
  }
}

/** Creates the rate limiter of the settings; undefined without a limit. All nodes and processes share the limit. */
export function createRateLimiter({
  clock,
  settings: { rate_limit },
  cluster,
}: Pick<Service, 'clock' | 'settings' | 'cluster'>): RateLimiter | undefined {
  if (rate_limit === undefined) return undefined;
  return new RateLimiter(clock, rate_limit, { sharers: () => cluster?.nodes.length ?? 1 });
}
