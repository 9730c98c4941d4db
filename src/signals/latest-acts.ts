import { consume } from '../consume.ts';
import type { Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import { Slabs } from '../state/slabs.ts';
import type { State } from '../state/state.ts';

/** The acts of each user are kept that signals look at unless they are told otherwise: the latest so many. */
const ACTS_KEPT = 20;
/** Of a user's acts and of their posts so many are read at most for each that is to count. */
const READ_PER_COUNTED = 8;
/** Numbers before the acts of a user. */
const HEADER = 1;
/** Numbers in a line of the processor's cache. */
const LINE = 16;

/** Items and the moments at which somebody stood behind them. Used again and again. */
class Acts {
  items = new Int32Array(1024);
  /** Whole seconds. */
  times = new Uint32Array(1024);
  /** What each counts: the caller's to say. */
  weights = new Float64Array(1024);
  count = 0;

  reserve(more: number): void {
    this.items = grown(this.items, this.count + more);
    this.times = grown(this.times, this.count + more);
    this.weights = grown(this.weights, this.count + more);
  }
}

/**
 * What users posted and approved of (liked, commented, shared, bookmarked) lately. Of whoever was asked about it is kept,
 * side by side, until they do something: the logs have it in ten places. A cache outside the fold that never lags;
 * 8 bytes an act, 350 a user at most.
 */
export class LatestActs {
  /** Those that were found. */
  readonly found = new Acts();
  /** Of each user `State.user_revisions` when it was written, then of each act the item and the second. */
  private readonly kept = new Slabs({ number: new Uint32Array(1024) });

  constructor(private readonly state: State) {}

  /** Reads what is kept of some users into the processor's cache: loops this short fetch many places at once. O(users). */
  readAhead(users: readonly Ordinal[]): void {
    const { kept, state } = this;
    const { number: numbers } = kept.columns;
    let read = 0;
    for (const user of users) read |= kept.prefetch(user) ^ state.user_revisions.of(user);
    for (const user of users) {
      const end = kept.end(user);
      for (let at = kept.start(user); at < end; at += LINE) read |= numbers[at];
    }
    consume(read);
  }

  /**
   * Adds to `found` the user's latest `recent` posts that can be shown, newest first, then the latest `recent` items that
   * they approved of, each at the latest of these acts. O(recent).
   * @param until the time, in seconds, of the last post that is not ahead
   */
  find(user: Ordinal, recent: number, until: number): void {
    if (recent === ACTS_KEPT && this.takeKept(user)) return;
    const { found } = this;
    const from = found.count;
    takePosts(this.state, user, recent, until, found);
    takeApproved(this.state, user, recent, found);
    const { by_author } = this.state;
    // What is ahead now will not be so later.
    if (recent === ACTS_KEPT && by_author.until(user, until) === by_author.end(user)) this.keep(user, from);
  }

  private takeKept(user: Ordinal): boolean {
    const { kept, found } = this;
    const { number: numbers } = kept.columns;
    const length = kept.length(user);
    const start = kept.start(user);
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

  /** Keeps what was found of a user from a place on. */
  private keep(user: Ordinal, from: number): void {
    const { kept, found } = this;
    let at = kept.rewrite(user, HEADER + 2 * (found.count - from));
    const { number: numbers } = kept.columns;
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
    // Where an item was there more than once, what is older is looked at too.
    if (acts.count === from + recent || found < most || most === among) return;
    acts.count = from;
  }
}

/** Keeps the first of each item among `found` acts, until there are `most` items. */
function keepFirst(acts: Acts, from: number, found: number, most: number): void {
  const { items, times } = acts;
  // A bit for each item so far: most have one of their own, and were not met before.
  let met = 0;
  for (let at = from; at < from + found && acts.count < from + most; at++) {
    const item = items[at];
    const bit = 1 << item;
    if ((met & bit) !== 0 && isAmong(items, from, acts.count, item)) continue;
    met |= bit;
    times[acts.count] = times[at];
    items[acts.count++] = item;
  }
}

function isAmong(items: Int32Array, start: number, end: number, item: Ordinal): boolean {
  for (let at = start; at < end; at++) if (items[at] === item) return true;
  return false;
}
