import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** What a request under way takes up. */
export interface Held {
  /** Whose key it has; undefined before that is known, and without a key. */
  account?: string;
  without_key?: boolean;
  body_bytes: number;
}

interface Share {
  requests: number;
  large_bytes: number;
}

/**
 * Bounds what requests under way take up, in all and by account, so that no account and no callers without a key can keep all
 * others out. Whatever waits anywhere in the service waits for a request, so this bounds it all.
 */
export class RequestBounds {
  /** Requests under way, and the bytes of their bodies that have arrived. */
  count = 0;
  body_bytes = 0;
  /** Of these requests those with a large body, and the bytes of these bodies. */
  private large = 0;
  private large_bytes = 0;
  private without_key = 0;
  private readonly shares = new Map<string, Share>();

  constructor(private readonly requests_max: number) {}

  /** Requests that wait for an answer and not for a large body to be worked off, which is done in slices. */
  get waiting(): number {
    return this.count - this.large;
  }

  /** @throws ServiceError `overloaded`; the request has to end like any other */
  start(always_answered: () => boolean): void {
    if (++this.count <= this.requests_max || always_answered()) return;
    throw overloaded(`${this.count} requests are under way`);
  }

  /** @throws ServiceError `overloaded` when the account has its share of the requests under way already */
  authenticated(held: Held, account: string): void {
    if (held.account !== undefined) return;
    held.account = account;
    const share = this.shares.get(account) ?? { requests: 0, large_bytes: 0 };
    this.shares.set(account, share);
    if (++share.requests <= Math.ceil(this.requests_max * LIMITS.account_share)) return;
    throw overloaded(`${share.requests} requests of this account are under way`);
  }

  /** @throws ServiceError `overloaded` when requests without a key have their share already */
  withoutKey(held: Held): void {
    if (held.without_key) return;
    held.without_key = true;
    if (++this.without_key <= Math.ceil(this.requests_max * LIMITS.keyless_share)) return;
    throw overloaded(`${this.without_key} requests without a key are under way`);
  }

  /**
   * So many further bytes of the request's body have arrived. Small bodies are always taken: they are bounded by the number of
   * requests.
   * @throws ServiceError `overloaded` when large bodies, or those of the account, take up their room already
   */
  takeBody(held: Held, bytes: number): void {
    const was_large = isLarge(held.body_bytes);
    const total = held.body_bytes + bytes;
    if (isLarge(total)) {
      const share = held.account === undefined ? undefined : this.shares.get(held.account);
      const more = was_large ? bytes : total;
      if (this.large_bytes + more > LIMITS.bodies_bytes_max)
        throw overloaded(`bodies of ${this.large_bytes} bytes are being worked off`);
      if (share !== undefined && share.large_bytes + more > LIMITS.bodies_bytes_max * LIMITS.account_share)
        throw overloaded(`bodies of ${share.large_bytes} bytes of this account are being worked off`);
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
