import { grown } from '../columns/growable.ts';
import { Slabs } from '../columns/slabs.ts';
import { consume } from '../consume.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** The default number of latest acts that signals read. Only results of this length are cached. */
const ACTS_CACHED = 20;
/** The maximum number of acts and of posts to read per result. */
const READ_PER_COUNTED = 8;
/** The number of header elements before a user's acts. */
const HEADER = 1;
/** 32-bit numbers per cache line. */
const LINE = 16;

/** Items, with the times at which a user posted or approved of them. Reused. */
class Acts {
  items = new Int32Array(1024);
  /** In whole seconds. */
  times = new Uint32Array(1024);
  /** The weight of each, which the caller sets. */
  weights = new Float64Array(1024);
  count = 0;

  reserve(more: number): void {
    this.items = grown(this.items, this.count + more);
    this.times = grown(this.times, this.count + more);
    this.weights = grown(this.weights, this.count + more);
  }
}

/**
 * The latest posts and approvals (likes, comments, shares, bookmarks) of users, cached per user.
 *
 * An entry is valid until its user does something. The logs store the same data in ten places, the cache in one. It is
 * outside of the fold and never stale. 8 bytes an act, at most 350 a user.
 */
export class LatestActs {
  readonly found = new Acts();
  /** For each user: `State.user_revisions` at the time of caching, then the item and the second of each act. */
  private readonly cached = new Slabs({ number: new Uint32Array(1024) });

  constructor(private readonly state: State) {}

  /**
   * Reads the cache entries of some users into the processor's cache. Such short loops fetch many at once. O(users).
   */
  readAhead(users: readonly Ordinal[]): void {
    const { cached, state } = this;
    const { number: numbers } = cached.columns;
    let read = 0;
    for (const user of users) read |= cached.prefetch(user) ^ state.user_revisions.of(user);
    for (const user of users) {
      const end = cached.end(user);
      for (let at = cached.start(user); at < end; at += LINE) read |= numbers[at];
    }
    consume(read);
  }

  /**
   * Appends a user's latest `recent` visible posts to `found`, then their latest `recent` approved items.
   *
   * Both are newest first. An item counts at the latest of its acts. O(recent).
   * @param until the latest creation time of posts, in seconds
   */
  find(user: Ordinal, recent: number, until: number): void {
    if (recent === ACTS_CACHED && this.takeCached(user)) return;
    const { found } = this;
    const from = found.count;
    takePosts(this.state, user, recent, until, found);
    takeApproved(this.state, user, recent, found);
    const { by_author } = this.state;
    // Not cached if posts are dated ahead, since those become visible later.
    if (recent === ACTS_CACHED && by_author.until(user, until) === by_author.end(user)) this.keep(user, from);
  }

  private takeCached(user: Ordinal): boolean {
    const { cached, found } = this;
    const { number: numbers } = cached.columns;
    const length = cached.length(user);
    const start = cached.start(user);
    if (length === 0 || numbers[start] !== this.state.user_revisions.of(user)) return false;
    const count = (length - HEADER) >> 1;
    found.reserve(count);
    const { items, times } = found;
    let at = start + HEADER;
    for (let next = found.count; next < found.count + count; next++, at += 2) {
      items[next] = numbers[at];
      times[next] = numbers[at + 1];
    }
    found.count += count;
    return true;
  }

  private keep(user: Ordinal, from: number): void {
    const { cached, found } = this;
    let at = cached.rewrite(user, HEADER + 2 * (found.count - from));
    const { number: numbers } = cached.columns;
    numbers[at] = this.state.user_revisions.of(user);
    at += HEADER;
    for (let next = from; next < found.count; next++, at += 2) {
      numbers[at] = found.items[next];
      numbers[at + 1] = found.times[next];
    }
  }
}

function takePosts(state: State, user: Ordinal, recent: number, until: number, acts: Acts): void {
  const { items, by_author } = state;
  acts.reserve(Math.min(recent, by_author.length(user)));
  const full = acts.count + recent;
  const end = by_author.until(user, until);
  const stop = Math.max(by_author.start(user), end - READ_PER_COUNTED * recent);
  for (let at = end - 1; at >= stop && acts.count < full; at--) {
    const item = by_author.item(at);
    if (!state.live(item)) continue;
    acts.items[acts.count] = item;
    acts.times[acts.count++] = Math.floor(items.created_at(item));
  }
}

function takeApproved({ interactions, vocabulary }: State, user: Ordinal, recent: number, acts: Acts): void {
  const { by_user } = interactions;
  const among = Math.min(READ_PER_COUNTED * recent, by_user.length(user));
  const from = acts.count;
  for (let most = Math.min(recent, among); ; most = among) {
    acts.reserve(most);
    const { items, times } = acts;
    const found = by_user.latest(user, most, among, vocabulary.approving, items, times, from);
    keepFirst(acts, from, found, recent);
    // If items were repeated, older acts are read too.
    if (acts.count === from + recent || found < most || most === among) return;
    acts.count = from;
  }
}

/** Keeps the first of each item among `found` acts, up to `most` items. */
function keepFirst(acts: Acts, from: number, found: number, most: number): void {
  const { items, times } = acts;
  // A bit per item. Most items have a bit of their own and are new, which saves the search.
  let seen_bits = 0;
  for (let at = from; at < from + found && acts.count < from + most; at++) {
    const item = items[at];
    const bit = 1 << item;
    if ((seen_bits & bit) !== 0 && isAmong(items, from, acts.count, item)) continue;
    seen_bits |= bit;
    times[acts.count] = times[at];
    items[acts.count++] = item;
  }
}

function isAmong(items: Int32Array, start: number, end: number, item: Ordinal): boolean {
  for (let at = start; at < end; at++) if (items[at] === item) return true;
  return false;
}
