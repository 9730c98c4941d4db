import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';
import { TokenBucket } from '../../token-bucket.ts';

/** Maximum number of remembered keys. A forgotten key starts with a full bucket. */
const KEYS_REMEMBERED_MAX = 10_000;

export interface RateLimiterOptions {
  keys_max?: number;
  /**
   * Number of processes that share the limit of a key, this one included. Each admits an equal part. It may change at
   * any time. Default 1.
   */
  sharers?: () => number;
  /** The time for which a bucket holds tokens. Default 1. */
  window_seconds?: number;
  /** What is counted, in the error text. Default requests. */
  counted?: string;
}

/**
 * A token bucket per key.
 *
 * A bucket refills at the process's part of `per_second` and holds the tokens of its window, at least one. So a key may
 * send that many requests at once, and then as many per second.
 */
export class RateLimiter {
  private readonly buckets: LRUCache<string, TokenBucket>;
  private readonly of_viewers: LRUCache<string, TokenBucket>;
  private readonly options: Required<Omit<RateLimiterOptions, 'keys_max'>>;

  constructor(
    private readonly clock: Clock,
    readonly per_second: number,
    { keys_max = KEYS_REMEMBERED_MAX, ...options }: RateLimiterOptions = {},
  ) {
    this.buckets = new LRUCache({ max: keys_max });
    this.of_viewers = new LRUCache({ max: keys_max });
    this.options = { sharers: () => 1, window_seconds: 1, counted: 'requests', ...options };
  }

  get size(): number {
    return this.buckets.size;
  }

  /**
   * Takes tokens from a key's bucket. O(1).
   * @param key identifies the key; never the key itself
   * @param who the caller in the error text
   * @param spare the number of tokens that must remain
   * @throws ServiceError `rate_limited` with the seconds until there are enough tokens
   */
  take(key: string, who = 'this key', count = 1, spare = 0): void {
    this.takeFrom(this.buckets, key, this.per_second, who, count, spare);
  }

  /**
   * Takes a token for a request with a viewer token: from the bucket of the viewer, then from that of the key. So one
   * viewer cannot use up the limit of all viewers of an app.
   * @throws ServiceError `rate_limited`
   */
  takeForViewer(key: string, viewer: string): void {
    const { viewer_requests_per_second_min, viewer_rate_share } = LIMITS;
    const share = Math.max(viewer_requests_per_second_min, this.per_second * viewer_rate_share);
    this.takeFrom(this.of_viewers, `${key} ${viewer}`, Math.min(share, this.per_second), 'this viewer', 1);
    this.take(key);
  }

  private takeFrom(
    buckets: LRUCache<string, TokenBucket>,
    key: string,
    per_second: number,
    who: string,
    count: number,
    spare = 0,
  ): void {
    const { sharers, window_seconds, counted } = this.options;
    const own_per_second = per_second / Math.max(1, sharers());
    const bucket = buckets.get(key) ?? new TokenBucket();
    buckets.set(key, bucket);
    const tokens_max = Math.max(1, own_per_second * window_seconds);
    const wait_seconds = bucket.take(this.clock.now(), own_per_second, tokens_max, count, spare);
    if (wait_seconds === 0) return;
    const seconds = Math.ceil(wait_seconds);
    const detail = `${who} may send ${per_second} ${counted} per second; try again in ${seconds} s`;
    throw new ServiceError('rate_limited', detail, undefined, seconds);
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
