import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';

/** Kinds of requests without a key, as in an error text. Each has a share of its own. */
export type KeylessKind =
  | 'wallet events'
  | 'reads for wallets'
  | 'sign-ins with a code'
  | 'requests to XRPC'
  | 'reports from Bluesky'
  | `deliveries to webhook ${string}`;

/** The resources that a request under way uses. */
export interface RequestResources {
  /** Account of its key. Undefined until it is known, and without a key. */
  account?: string;
  /** Undefined if it needs a key. */
  keyless?: KeylessKind;
  /** The webhook that its body is delivered to. */
  webhook?: string;
  body_bytes: number;
}

interface BodyRoom {
  bytes: number;
  readonly bytes_max: number;
  readonly of: string;
}

interface Share extends BodyRoom {
  requests: number;
}

const bodyRoom = (share: number, of: string): BodyRoom => ({
  bytes: 0,
  bytes_max: LIMITS.bodies_bytes_max * share,
  of,
});

/**
 * Bounds the resources of requests under way, in total and per account.
 *
 * So neither an account nor callers without a key can keep all others out. Every wait in the service belongs to a
 * request, so this also bounds all queues.
 */
export class RequestBounds {
  count = 0;
  body_bytes = 0;
  private large = 0;
  private keyless_count = 0;
  /** Requests without a key by their kind. */
  private readonly keyless_kinds = new Map<KeylessKind, number>();
  private readonly shares = new Map<string, Share>();
  /** Bodies of callers with a key have a room of their own, so that no stranger can use it up. */
  private readonly with_key = bodyRoom(1 - LIMITS.keyless_share, 'of callers with a key');
  private readonly keyless = bodyRoom(LIMITS.keyless_share, 'without a key');
  private readonly webhooks = new Map<string, BodyRoom>();

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
  authenticated(held: RequestResources, account: string): void {
    if (held.account !== undefined) return;
    held.account = account;
    const share = this.shares.get(account) ?? {
      ...bodyRoom(LIMITS.account_share, 'of this account'),
      requests: 0,
    };
    this.shares.set(account, share);
    if (++share.requests <= Math.ceil(this.requests_max * LIMITS.account_share)) return;
    throw overloaded(`${share.requests} requests of this account are under way`);
  }

  /**
   * Counts a request without a key.
   *
   * A kind of request may have as many under way as it leaves free. So strangers who send requests of one kind, or of
   * several, always leave room for the others.
   * @throws ServiceError `overloaded` if such requests have used up their share
   */
  withoutKey(held: RequestResources, kind: KeylessKind): void {
    if (held.keyless !== undefined) return;
    held.keyless = kind;
    const of_kind = (this.keyless_kinds.get(kind) ?? 0) + 1;
    this.keyless_kinds.set(kind, of_kind);
    this.keyless_count++;
    const free = Math.ceil(this.requests_max * LIMITS.keyless_share) - this.keyless_count;
    if (of_kind <= Math.max(1, free)) return;
    throw overloaded(`${of_kind} ${kind} are under way`);
  }

  /**
   * Reserves memory for received bytes of a body. Small bodies always pass: the number of requests bounds them.
   * @param webhook the configured webhook that the body is delivered to
   * @throws ServiceError `overloaded` if large bodies use up the memory for such callers
   */
  takeBody(held: RequestResources, bytes: number, webhook?: string): void {
    held.webhook = webhook;
    const was_large = isLarge(held.body_bytes);
    const total = held.body_bytes + bytes;
    if (isLarge(total)) {
      const rooms = this.roomsOf(held);
      const more = was_large ? bytes : total;
      const full = rooms.find((room) => room.bytes + more > room.bytes_max);
      if (full !== undefined)
        throw overloaded(`bodies of ${full.bytes} bytes ${full.of} are being processed`);
      if (!was_large) this.large++;
      for (const room of rooms) room.bytes += more;
    }
    held.body_bytes = total;
    this.body_bytes += bytes;
  }

  end(held: RequestResources): void {
    const { account, keyless, body_bytes } = held;
    this.count--;
    if (keyless !== undefined) this.endKeyless(keyless);
    this.body_bytes -= body_bytes;
    if (isLarge(body_bytes)) {
      this.large--;
      for (const room of this.roomsOf(held)) room.bytes -= body_bytes;
    }
    const share = account === undefined ? undefined : this.shares.get(account);
    if (account !== undefined && share !== undefined && --share.requests === 0) this.shares.delete(account);
  }

  private endKeyless(kind: KeylessKind): void {
    this.keyless_count--;
    const left = (this.keyless_kinds.get(kind) ?? 0) - 1;
    if (left > 0) this.keyless_kinds.set(kind, left);
    else this.keyless_kinds.delete(kind);
  }

  /** The rooms that a large body takes memory from. */
  private roomsOf({ account, keyless, webhook }: RequestResources): BodyRoom[] {
    const rooms = [keyless !== undefined ? this.keyless : this.with_key];
    const share = account === undefined ? undefined : this.shares.get(account);
    if (share !== undefined) rooms.push(share);
    if (webhook !== undefined) rooms.push(this.roomOf(webhook));
    return rooms;
  }

  private roomOf(webhook: string): BodyRoom {
    const known = this.webhooks.get(webhook);
    if (known !== undefined) return known;
    const room = bodyRoom(LIMITS.webhook_share, 'of this webhook');
    this.webhooks.set(webhook, room);
    return room;
  }
}

function isLarge(body_bytes: number): boolean {
  return body_bytes > LIMITS.small_body_bytes_max;
}

function overloaded(why: string): ServiceError {
  return new ServiceError('overloaded', `${why}; try again in a moment`, undefined, 1);
}
