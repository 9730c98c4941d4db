import type { Clock, Seconds } from '../clock.ts';
import { CHANGES_KEPT } from '../columns/change-ring.ts';
import { invalidValue } from '../errors.ts';
import type { UsedFeed } from '../feeds/plan.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { SavedFeeds } from '../feeds/saved-feeds.ts';
import { LIMITS } from '../limits.ts';
import { type FeedType, NONE } from '../plugin/index.ts';
import { mayBeNamed, namedFollows } from '../state/may-be-named.ts';
import { surelyMutedItems } from '../state/muted.ts';
import type { State } from '../state/state.ts';
import { untilStopped } from '../until-stopped.ts';
import { FairLru } from './fair-lru.ts';

/** An answer as it was sent, and the users and feeds that it depends on. */
export interface SentAnswer {
  bytes: Uint8Array<ArrayBuffer>;
  item_ids: readonly string[];
  /** The answer may depend on this user, their follows, and the authors of its items. Undefined: on any user. */
  viewer: string | undefined;
  /** Who reads it. What they hid since, and items of those whom they blocked or who blocked them, are not shown again. */
  reader: string | undefined;
  /** Saved feeds that it may contain items of. */
  feeds: readonly UsedFeed[];
}

export interface RequestName {
  /** Holds the answer. Empty for callers without a key. */
  account: string;
  key: string;
  digest: string;
}

interface Answering {
  digest: string;
  bytes: Promise<Uint8Array<ArrayBuffer>>;
  given_up: AbortSignal | undefined;
}

interface CachedAnswer {
  digest: string;
  kept_at: Seconds;
  bytes: Uint8Array<ArrayBuffer>;
  /** Keys instead of ordinals, which may be reused before the answer is repeated. */
  items: Int32Array;
  /** Keys of the reader, first, and of those whom the reader follows and the answer may name or count. */
  users: Int32Array;
  depends_on_any_user: boolean;
  reader: string | undefined;
  /** The number of erasures when the request arrived, and whether there were more before the answer. */
  erasures: number;
  erased_meanwhile: boolean;
  hidings: number;
  /** That of the state when the request arrived. */
  seq: number;
  /** The number of items that were posted again after their deletion (`State.republished`). */
  republished: number;
  feeds: readonly UsedFeed[];
}

/** Approximate memory of a cached answer besides its bytes and items. */
const ENTRY_BYTES = 1024;
/** Interval of removing expired answers, which examines every cached answer. */
const PURGE_SECONDS = 60;

/**
 * The key of a request with a `request_id`, which is unique per account, feed type and viewer.
 *
 * Undefined without a `request_id` or without a viewer.
 */
export function requestName(feed_type: FeedType, request: FeedRequest): RequestName | undefined {
  if (request.request_id === undefined) return undefined;
  const { request_id, user_id, wallet_address, account, ...wanted } = request;
  if (user_id === undefined && wallet_address === undefined) return undefined;
  const viewer = user_id === undefined ? ['wallet', wallet_address?.toLowerCase()] : ['user', user_id];
  const text = JSON.stringify(sorted(wanted));
  const digest = new Bun.CryptoHasher('sha256').update(text).digest('base64');
  return { account: account ?? '', key: JSON.stringify([account, feed_type, ...viewer, request_id]), digest };
}

/** Sorts the keys of objects, so that equal requests have equal texts. Undefined (switched off) becomes null. */
function sorted(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Caches answers for clients that repeat a request because they did not get the answer: same bytes, no second effect.
 *
 * An answer is not repeated if one of its items was deleted or hidden, also by its reader, if a user that it depends on
 * was erased or hidden, if its reader set preferences, mutes what an item has become, or may not see an author or a
 * followed user any more, or if a feed that it uses may not be read any more. This also holds for clients that are
 * already waiting. Memory is bounded: the account that holds most loses its least recently used answers, and the newest
 * answer stays.
 */
export class AnswerCache {
  private readonly kept: FairLru<CachedAnswer>;
  private readonly under_way = new Map<string, Answering>();
  private purged_at: Seconds;

  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly saved_feeds: Pick<SavedFeeds, 'refers'>,
    private readonly ai_label_threshold: number,
  ) {
    const { cached_answers_max, cached_answers_bytes_max } = LIMITS;
    this.kept = new FairLru({ count_max: cached_answers_max, bytes_max: cached_answers_bytes_max, sizeOf });
    this.purged_at = clock.now();
  }

  get size(): number {
    return this.kept.size;
  }

  /**
   * Returns the bytes of the first answer to a request with this key. Calls `answer` if there is none.
   *
   * A failure is not cached, but fails all requests that wait for the same answer. If the first client disconnects,
   * the next one builds the answer.
   * @param given_up aborted when the client has disconnected
   */
  async once(
    name: RequestName,
    answer: () => Promise<SentAnswer>,
    given_up?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { key, digest } = name;
    for (let first = this.under_way.get(key); first !== undefined; first = this.under_way.get(key)) {
      requireSame(first.digest, digest);
      await ended(first, given_up);
    }
    const earlier = this.find(name);
    if (earlier !== undefined) {
      requireSame(earlier.digest, digest);
      return earlier.bytes;
    }
    const bytes = this.answering(name, answer);
    this.under_way.set(key, { digest, bytes, given_up });
    try {
      return await bytes;
    } finally {
      this.under_way.delete(key);
    }
  }

  private async answering(
    { account, key, digest }: RequestName,
    answer: () => Promise<SentAnswer>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { erasures, hidings, seq } = this.state;
    const republished = this.state.republished.version;
    const { bytes, item_ids, viewer, reader, feeds } = await answer();
    const { names } = this.state.items;
    const items = Int32Array.from(item_ids, (item_id) => {
      const item = names.find(item_id);
      return item === NONE ? NONE : names.key(item);
    });
    const of_users = { users: this.around(reader), depends_on_any_user: viewer === undefined };
    const erased_meanwhile = erasures !== this.state.erasures;
    const then = { erasures, erased_meanwhile, hidings, republished, seq };
    const kept_at = this.clock.now();
    this.kept.set(account, key, { digest, kept_at, bytes, items, ...of_users, reader, ...then, feeds });
    this.purgeExpired();
    return bytes;
  }

  private around(reader: string | undefined): Int32Array {
    const { names } = this.state.users;
    const user = reader === undefined ? NONE : names.find(reader);
    if (user === NONE) return new Int32Array();
    return Int32Array.from([user, ...namedFollows(this.state, user, this.clock.now())], (each) =>
      names.key(each),
    );
  }

  private find({ account, key }: RequestName): CachedAnswer | undefined {
    const kept = this.kept.get(account, key);
    if (kept === undefined || (this.isRecent(kept) && this.canBeShown(kept))) return kept;
    this.kept.delete(account, key);
    return undefined;
  }

  private canBeShown(kept: CachedAnswer): boolean {
    const { erasures, erased_meanwhile, republished, items, users, depends_on_any_user, feeds } = kept;
    const { state, saved_feeds } = this;
    if (!feeds.every(({ feed_id, account }) => saved_feeds.refers(feed_id, account))) return false;
    if (erased_meanwhile || state.republished.version - republished > CHANGES_KEPT) return false;
    if (depends_on_any_user && erasures !== state.erasures) return false;
    if (users.some((key) => state.users.names.ordinal(key) === NONE)) return false;
    if (this.mayDependOnHidden(kept) || this.isRefused(kept)) return false;
    const posted_again = state.republished.since(republished, CHANGES_KEPT);
    return items.every((key) => {
      const item = state.items.names.ordinal(key);
      return item !== NONE && state.live(item) && !posted_again.includes(item);
    });
  }

  /** Whether a user that the answer depends on may have been hidden since. */
  private mayDependOnHidden({ hidings, users, depends_on_any_user }: CachedAnswer): boolean {
    const { state } = this;
    if (hidings === state.hidings) return false;
    return depends_on_any_user || users.some((key) => state.users.hidden(state.users.names.ordinal(key)));
  }

  /**
   * Whether the reader set preferences since, does not want one of the items, or may not see its author or a user whom the
   * answer names.
   */
  private isRefused({ reader, items, users: around, seq }: CachedAnswer): boolean {
    const { users, interactions, blocks, preferences, items: known } = this.state;
    const user = reader === undefined ? NONE : users.names.find(reader);
    if (user === NONE) return false;
    if (preferences.haveChangedSince(user, seq)) return true;
    const now = this.clock.now();
    if (!around.subarray(1).every((key) => mayBeNamed(this.state, user, users.names.ordinal(key), now)))
      return true;
    // Items may have got muted words, channels or labels since.
    const isMuted = surelyMutedItems(this.state, user, { now, ai_label_threshold: this.ai_label_threshold });
    return items.some((key) => {
      const item = known.names.ordinal(key);
      if (item === NONE) return false;
      const author = known.author(item);
      if (interactions.touched.hides(user, item) || isMuted?.(item) === true) return true;
      return author !== NONE && blocks.between(user, author);
    });
  }

  private purgeExpired(): void {
    const now = this.clock.now();
    if (now - this.purged_at < PURGE_SECONDS) return;
    this.purged_at = now;
    this.kept.retain((kept) => this.isRecent(kept));
  }

  private isRecent({ kept_at }: CachedAnswer): boolean {
    return this.clock.now() - kept_at <= LIMITS.cached_answer_seconds;
  }
}

async function ended(first: Answering, given_up: AbortSignal | undefined): Promise<void> {
  try {
    await untilStopped(first.bytes, given_up);
  } catch (error) {
    if (given_up?.aborted || !first.given_up?.aborted) throw error;
  }
}

/** @throws ServiceError `invalid_value` */
export function requireSame(digest: string, other: string): void {
  if (digest === other) return;
  const message = 'stands for another request of this viewer, sent a short time ago; give this one another';
  throw invalidValue([{ path: '/request_id', message }]);
}

function sizeOf({ bytes, items, users }: CachedAnswer): number {
  return bytes.byteLength + items.byteLength + users.byteLength + ENTRY_BYTES;
}
