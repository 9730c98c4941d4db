import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** The resources that a request under way uses. */
export interface Held {
  /** Account of its key. Undefined until it is known, and without a key. */
  account?: string;
  without_key?: boolean;
  body_bytes: number;
}

interface Share {
  requests: number;
  large_bytes: number;
}

/**
 * Bounds the resources of requests under way, in total and per account.
 *
 * So neither an account nor callers without a key can keep all others out. Every wait in the service belongs to a
 * request, so this also bounds all queues.
 */
export class RequestBounds {
  /** Requests under way. */
  count = 0;
  body_bytes = 0;
  /** Requests under way with a large body. */
  private large = 0;
  private large_bytes = 0;
  private without_key = 0;
  private readonly shares = new Map<string, Share>();

  constructor(private readonly requests_max: number) {}

  /** Requests that wait for an answer, without those whose large body is still being processed. */
  get waiting(): number {
    return this.count - this.large;
  }

  /** Counts a request. @throws ServiceError `overloaded`; the request must still be ended like any other */
  start(always_answered: () => boolean): void {
    if (++this.count <= this.requests_max || always_answered()) return;
    throw overloaded(`${this.count} requests are under way`);
  }

  /** Counts a request for its account. @throws ServiceError `overloaded` if the account has used up its share */
  authenticated(held: Held, account: string): void {
    if (held.account !== undefined) return;
    held.account = account;
    const share = this.shares.get(account) ?? { requests: 0, large_bytes: 0 };
    this.shares.set(account, share);
    if (++share.requests <= Math.ceil(this.requests_max * LIMITS.account_share)) return;
    throw overloaded(`${share.requests} requests of this account are under way`);
  }

  /** Counts a request without a key. @throws ServiceError `overloaded` if such requests have used up their share */
  withoutKey(held: Held): void {
    if (held.without_key) return;
    held.without_key = true;
    if (++this.without_key <= Math.ceil(this.requests_max * LIMITS.keyless_share)) return;
    throw overloaded(`${this.without_key} requests without a key are under way`);
  }

  /**
   * Reserves memory for received bytes of a body. Small bodies always pass: the number of requests bounds them.
   * @throws ServiceError `overloaded` if large bodies use up the memory, in total or of the account
   */
  takeBody(held: Held, bytes: number): void {
    const was_large = isLarge(held.body_bytes);
    const total = held.body_bytes + bytes;
    if (isLarge(total)) {
      const share = held.account === undefined ? undefined : this.shares.get(held.account);
      const more = was_large ? bytes : total;
      if (this.large_bytes + more > LIMITS.bodies_bytes_max)
        throw overloaded(`bodies of ${this.large_bytes} bytes are being processed`);
      if (share !== undefined && share.large_bytes + more > LIMITS.bodies_bytes_max * LIMITS.account_share)
        throw overloaded(`bodies of ${share.large_bytes} bytes of this account are being processed`);
      if (!was_large) this.large++;
      this.large_bytes += more;
      if (share !== undefined) share.large_bytes += more;
    }
    held.body_bytes = total;
    this.body_bytes += bytes;
  }

  end({ account, without_key, body_bytes }: Held): void {
    this.count--;
    if (without_key) this.without_key--;
    this.body_bytes -= body_bytes;
    const large_bytes = isLarge(body_bytes) ? body_bytes : 0;
    if (large_bytes > 0) this.large--;
    this.large_bytes -= large_bytes;
    const share = account === undefined ? undefined : this.shares.get(account);
    if (account === undefined || share === undefined) return;
    share.large_bytes -= large_bytes;
    if (--share.requests === 0) this.shares.delete(account);
  }
}

function isLarge(body_bytes: number): boolean {
  return body_bytes > LIMITS.small_body_bytes_max;
}

function overloaded(why: string): ServiceError {
  return new ServiceError('overloaded', `${why}; try again in a moment`, undefined, 1);
}
