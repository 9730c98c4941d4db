import { ConnectionError, FeedloomError } from './errors.ts';

/** Whether a failed call is sent again, and when: exponential back-off with jitter. */

const BACK_OFF_MS = 200;
const BACK_OFF_MS_MAX = 10_000;
/** The service is not waited for longer than this: the call fails instead. */
const RETRY_AFTER_S_MAX = 60;

/** Answers of a service, or of a proxy before it, that is not available at the moment. */
const UNAVAILABLE: readonly number[] = [429, 502, 503, 504];
/** Codes by which the service says that it did not begin to process the request. */
const NOT_PROCESSED: readonly string[] = ['rate_limited', 'overloaded', 'loading', 'write_queue_full'];

/** @param is_repeatable whether the call may be processed twice */
export function isRetried(error: unknown, is_repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return is_repeatable;
  if (!(error instanceof FeedloomError)) return false;
  if ((error.retry_after_s ?? 0) > RETRY_AFTER_S_MAX) return false;
  return is_repeatable ? UNAVAILABLE.includes(error.status) : NOT_PROCESSED.includes(error.code);
}

/**
 * Milliseconds until the next attempt. What the service asks for is a lower bound, so that the clients which it turned
 * away at the same time do not come back at the same time.
 * @param attempt 1: the first attempt failed
 * @param random from 0, below 1
 */
export function retryDelay(error: unknown, attempt: number, random: number): number {
  const back_off_ms = random * Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** attempt);
  const retry_after_s = error instanceof FeedloomError ? (error.retry_after_s ?? 0) : 0;
  return retry_after_s * 1000 + back_off_ms;
}
