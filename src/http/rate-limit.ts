import { LRUCache } from 'lru-cache';
import type { Clock, Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Service } from '../service.ts';

/** Keys remembered at most; a key that is forgotten starts again with a full bucket. */
const KEYS_REMEMBERED_MAX = 10_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  at: Seconds;
}

/**
 * A token bucket for each key: it refills at `per_second` and holds what one second brings, so a key may
 * send that many requests at once and then as many a second.
 */
export class RateLimiter {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(
    private readonly clock: Clock,
    readonly per_second: number,
    keys_max: number = KEYS_REMEMBERED_MAX,
  ) {
    this.buckets = new LRUCache({ max: keys_max });
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.buckets.size;
  }

  /**
   * Takes a token of a key. O(1).
   * @param key what tells keys apart; never the key itself
   * @throws ServiceError `rate_limited` with the seconds after which there is a token again
   */
  take(key: string): void {
    const bucket = this.refilled(key, this.clock.now());
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    throw new ServiceError(
      'rate_limited',
      `this key may send ${this.per_second} requests per second; try again in a moment`,
      undefined,
      Math.ceil((1 - bucket.tokens) / this.per_second),
    );
  }

  private refilled(key: string, now: Seconds): Bucket {
    const known = this.buckets.get(key);
    if (known === undefined) {
      const full = { tokens: this.per_second, at: now };
      this.buckets.set(key, full);
      return full;
    }
    // A clock that was put back brings nothing, and takes nothing away.
    const elapsed = Math.max(0, now - known.at);
    known.tokens = Math.min(this.per_second, known.tokens + elapsed * this.per_second);
    known.at = now;
    return known;
  }
}

/** The limit that the settings ask for, if any. */
export function createRateLimiter({ clock, settings }: Service): RateLimiter | undefined {
  return settings.rate_limit === undefined ? undefined : new RateLimiter(clock, settings.rate_limit);
}
