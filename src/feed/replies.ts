import { LRUCache } from 'lru-cache';
import type { UsedFeed } from '../answer/page-answer.ts';
import type { Clock, Seconds } from '../clock.ts';
import { invalidValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type FeedType, NONE } from '../plugin/index.ts';
import { CHANGES_KEPT } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { untilStopped } from '../until-stopped.ts';
import type { FeedRequest } from './resolve-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';

/** An answer as it was sent, and of what it tells. */
export interface Reply {
  bytes: Uint8Array<ArrayBuffer>;
  item_ids: readonly string[];
  /** Beside the authors of these items it tells of this user and of whom they follow; undefined: it may tell of anybody. */
  viewer: string | undefined;
  /** Saved feeds that it may be made of. */
  feeds: readonly UsedFeed[];
}

/** Which request this is, and a digest of what it asks for. */
export interface RequestName {
  key: string;
  digest: string;
}

interface Answering {
  digest: string;
  bytes: Promise<Uint8Array<ArrayBuffer>>;
  given_up: AbortSignal | undefined;
}

interface Kept {
  digest: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Keys: their ordinals may be others' by the time they are asked for again. */
  items: Int32Array;
  /** Keys of the viewer and of whom they follow; undefined: it may tell of anybody. */
  users: Int32Array | undefined;
  /** Users erased when the page was asked for, and before it was answered, … */
  erasures: number;
  erased_meanwhile: boolean;
  /** … how often users had been hidden (`State.hidings`), … */
  hidings: number;
  /** … and items posted again after they were deleted (`State.reborn`). */
  reborn: number;
  feeds: readonly UsedFeed[];
}

/** Memory of a kept answer beside its bytes and items, about. */
const ENTRY_BYTES = 1024;
/** How often expired answers are removed: finding them means looking at every kept answer. */
const PURGE_SECONDS = 60;

/**
 * The name that a client gave its request: `request_id`, which counts for one account, feed type and viewer.
 * Undefined without one, or without a viewer.
 */
export function requestName(feed_type: FeedType, request: FeedRequest): RequestName | undefined {
  if (request.request_id === undefined) return undefined;
  const { request_id, user_id, wallet_address, account, ...wanted } = request;
  if (user_id === undefined && wallet_address === undefined) return undefined;
  const viewer = user_id === undefined ? ['wallet', wallet_address?.toLowerCase()] : ['user', user_id];
  const text = JSON.stringify(sorted(wanted));
  const digest = new Bun.CryptoHasher('sha256').update(text).digest('base64');
  return { key: JSON.stringify([account, feed_type, ...viewer, request_id]), digest };
}

/** Objects with their keys in order, so equal requests give equal texts; switched off is not absent. */
function sorted(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Answers kept for clients that did not get them and ask again: the same bytes, with nothing done twice.
 * An answer with items that meanwhile were deleted or hidden, that tells of a user who was erased or hidden, or that is made of a
 * feed that may not be read any more, is not given again, not even to who waits for it since. Memory is bounded: the answer used longest ago is evicted first, the
 * newest never.
 */
export class Replies {
  private readonly kept: LRUCache<string, Kept>;
  private readonly under_way = new Map<string, Answering>();
  private purged_at: Seconds;

  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly saved_feeds: Pick<SavedFeeds, 'refers'>,
  ) {
    const { replies_kept_max, replies_bytes_max, reply_seconds } = LIMITS;
    this.kept = new LRUCache({
      max: replies_kept_max,
      maxSize: replies_bytes_max,
      // The cache would not take an answer larger than all of it; this way it evicts all others.
      sizeCalculation: (kept) => Math.min(sizeOf(kept), replies_bytes_max),
      ttl: reply_seconds * 1000,
      ttlResolution: 0,
      perf: { now: () => clock.now() * 1000 },
    });
    this.purged_at = clock.now();
  }

  /** Answers that can be given again. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * The bytes of the first answer to a request of this name; `answer` makes it if there is none. What fails
   * is not kept, but fails for everybody who is waiting for it. Where whoever asked first gives up, the next asks instead.
   * @param given_up aborted when nobody waits for these bytes any more
   * @throws ServiceError `invalid_value` when the name stands for another request; the reason of `given_up`
   */
  async once(
    { key, digest }: RequestName,
    answer: () => Promise<Reply>,
    given_up?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    for (let first = this.under_way.get(key); first !== undefined; first = this.under_way.get(key)) {
      requireSame(first.digest, digest);
      await ended(first, given_up);
    }
    const earlier = this.find(key);
    if (earlier !== undefined) {
      requireSame(earlier.digest, digest);
      return earlier.bytes;
    }
    const bytes = this.answering(key, digest, answer);
    this.under_way.set(key, { digest, bytes, given_up });
    try {
      return await bytes;
    } finally {
      this.under_way.delete(key);
    }
  }

  private async answering(
    key: string,
    digest: string,
    answer: () => Promise<Reply>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { erasures, hidings } = this.state;
    const reborn = this.state.reborn.version;
    const { bytes, item_ids, viewer, feeds } = await answer();
    const { names } = this.state.items;
    const items = Int32Array.from(item_ids, (item_id) => {
      const item = names.find(item_id);
      return item === NONE ? NONE : names.key(item);
    });
    const users = viewer === undefined ? undefined : this.around(viewer);
    const erased_meanwhile = erasures !== this.state.erasures;
    const then = { erasures, erased_meanwhile, hidings, reborn };
    this.kept.set(key, { digest, bytes, items, users, ...then, feeds });
    this.purgeExpired();
    return bytes;
  }

  /** Keys of a viewer and of whom they follow; none of one whom nothing is known of. */
  private around(viewer: string): Int32Array {
    const { users, follows } = this.state;
    const user = users.names.find(viewer);
    if (user === NONE) return new Int32Array();
    return Int32Array.from([user, ...follows.following(user)], (each) => users.names.key(each));
  }

  private find(key: string): Kept | undefined {
    const kept = this.kept.get(key);
    if (kept === undefined || this.canBeShown(kept)) return kept;
    this.kept.delete(key);
    return undefined;
  }

  private canBeShown(kept: Kept): boolean {
    const { erasures, erased_meanwhile, reborn, items, users, feeds } = kept;
    const { state, saved_feeds } = this;
    if (!feeds.every(({ feed_id, account }) => saved_feeds.refers(feed_id, account))) return false;
    if (erased_meanwhile || state.reborn.version - reborn > CHANGES_KEPT) return false;
    if (users === undefined && erasures !== state.erasures) return false;
    if (users?.some((key) => state.users.names.ordinal(key) === NONE)) return false;
    if (this.mayTellOfHidden(kept)) return false;
    const posted_again = state.reborn.since(reborn, CHANGES_KEPT);
    return items.every((key) => {
      const item = state.items.names.ordinal(key);
      return item !== NONE && state.live(item) && !posted_again.includes(item);
    });
  }

  /** Somebody was hidden since, perhaps a user whose acts the answer tells of. */
  private mayTellOfHidden({ hidings, users }: Kept): boolean {
    const { state } = this;
    if (hidings === state.hidings) return false;
    return users === undefined || users.some((key) => state.users.hidden(state.users.names.ordinal(key)));
  }

  private purgeExpired(): void {
    const now = this.clock.now();
    if (now - this.purged_at < PURGE_SECONDS) return;
    this.purged_at = now;
    this.kept.purgeStale();
  }
}

/** Waits for an answer under way. @throws what it fails with, unless it was given up; the reason of the waiting one's `given_up` */
async function ended(first: Answering, given_up: AbortSignal | undefined): Promise<void> {
  try {
    await untilStopped(first.bytes, given_up);
  } catch (error) {
    if (given_up?.aborted || !first.given_up?.aborted) throw error;
  }
}

/** @throws ServiceError `invalid_value` */
function requireSame(digest: string, other: string): void {
  if (digest === other) return;
  const message = 'stands for another request of this viewer, sent a short time ago; give this one another';
  throw invalidValue([{ path: '/request_id', message }]);
}

function sizeOf({ bytes, items, users }: Kept): number {
  return bytes.byteLength + items.byteLength + (users?.byteLength ?? 0) + ENTRY_BYTES;
}
