import { grown } from '../columns/growable.ts';
import { Slabs } from '../columns/slabs.ts';
import { joinTime, msPart, secondsPart } from '../columns/time.ts';
import { NONE } from '../model/key.ts';
import { DatedPairs, type PairEntry } from './dated-pairs.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

/**
 * Which users follow which, in both directions.
 *
 * The later timestamp wins, ties by arrival. A removed follow stays as a tombstone, so that an older message that
 * arrives later changes nothing. A complete follow list covers every pair of its user, including unknown pairs:
 * messages older than the list change nothing.
 */
export class Follows {
  private readonly out: DatedPairs;
  private readonly back = new Slabs({ other: new Uint32Array(256) });
  /** The number of current follows of each user. */
  private counts = new Uint32Array(64);
  /** The number of current follows of hidden users. While 0, followers are not checked. */
  private hidden_follows = 0;
  /** The time of each user's last complete list; 0 without one. 6 bytes per user, up to the last who sent one. */
  private listed_seconds = new Uint32Array(64);
  private listed_low = new Uint16Array(64);

  constructor(
    { ordinal_hash, limits }: Setup = DEFAULT_SETUP,
    private readonly isHidden: (user: number) => boolean = () => false,
  ) {
    this.out = new DatedPairs(ordinal_hash, {
      keys_max: limits.follows,
      subject_keys_max: limits.per_subject,
    });
  }

  /** The number of recorded pairs, including removed follows. */
  get pairs(): number {
    return this.out.keys;
  }

  get fullest(): number {
    return this.out.fullest;
  }

  pairsOf(user: number): number {
    return this.out.count(user);
  }

  follows(user: number, target: number): boolean {
    const at = this.out.find(user, target);
    return at !== NONE && this.out.isCurrent(at);
  }

  wouldChange(user: number, target: number, add: boolean, time: number): boolean {
    return time >= this.listedAt(user) && this.out.differs(this.out.find(user, target), add, time);
  }

  record(user: number, target: number, add: boolean, time: number): boolean {
    const known = this.out.find(user, target);
    if (time < this.listedAt(user) || !this.out.differs(known, add, time)) return false;
    const stood = known !== NONE && this.out.isCurrent(known);
    this.out.write(user, target, known, add, time);
    if (add && !stood) this.addBack(target, user);
    if (!add && stood) this.removeBack(target, user);
    this.counts = grown(this.counts, user + 1);
    if (add !== stood) this.counts[user] += add ? 1 : -1;
    return true;
  }

  /** Records a complete list by its differences. Ignored if older than the last list. O(differences). */
  recordList(user: number, followed: readonly number[], unfollowed: readonly number[], time: number): void {
    if (time < this.listedAt(user)) return;
    this.listed_seconds = grown(this.listed_seconds, user + 1);
    this.listed_low = grown(this.listed_low, user + 1);
    this.listed_seconds[user] = secondsPart(time);
    this.listed_low[user] = msPart(time);
    const is_new = (target: number) => this.out.find(user, target) === NONE;
    const more = followed.filter(is_new).length + unfollowed.filter(is_new).length;
    // A table that grows step by step would move its keys at each step.
    if (more > 0) this.out.makeRoom(user, this.out.count(user) + more);
    for (const target of followed) this.record(user, target, true, time);
    for (const target of unfollowed) this.record(user, target, false, time);
  }

  listedAt(user: number): number {
    return user < this.listed_low.length ? joinTime(this.listed_seconds[user], this.listed_low[user]) : 0;
  }

  /** Reads the table positions of a follow, in both directions, for `readAhead`. The result has no meaning. */
  prefetch(user: number, target: number): number {
    return this.out.prefetch(user) + this.back.prefetch(target) + this.count(user);
  }

  /** Reads the follow's slot and the target's last follower, for `readAhead`. */
  prefetchEntry(user: number, target: number): number {
    const at = this.out.near(user, target);
    const { seconds, low } = this.out.columns;
    const last = this.back.end(target) - 1;
    return this.out.slots[at] + seconds[at] + low[at] + (last < 0 ? 0 : this.back.columns.other[last]);
  }

  get size(): number {
    return this.back.size;
  }

  /** The number of current follows by users who are not hidden. */
  get counted(): number {
    return this.back.size - this.hidden_follows;
  }

  count(user: number): number {
    return user < this.counts.length ? this.counts[user] : 0;
  }

  /** The number of visible followers. O(1), or O(followers) while any user is hidden. */
  followerCount(user: number): number {
    return this.countFollowers(user, Number.POSITIVE_INFINITY);
  }

  /** Whether a user has more than `count` visible followers. At most O(`count` + hidden followers). */
  hasMoreFollowers(user: number, count: number): boolean {
    return this.back.length(user) > count && this.countFollowers(user, count) > count;
  }

  following(user: number): number[] {
    return this.out.currentTargets(user);
  }

  /** Like `following`, in order of ordinal, so pages and plugins do not depend on a hash table. O(follows, sorted). */
  followingInOrder(user: number): number[] {
    return Array.from(Int32Array.from(this.following(user)).sort());
  }

  followers(user: number): number[] {
    const found: number[] = [];
    for (let at = this.back.start(user); at < this.back.end(user); at++)
      found.push(this.back.columns.other[at]);
    return found;
  }

  /** The users who followed a user last, latest first. O(`most`). */
  latestFollowers(user: number, most: number): number[] {
    const found: number[] = [];
    const { other } = this.back.columns;
    const start = Math.max(this.back.start(user), this.back.end(user) - most);
    for (let at = this.back.end(user) - 1; at >= start; at--) found.push(other[at]);
    return found;
  }

  audience(user: number): number {
    return this.back.length(user);
  }

  timestamp(user: number, target: number): number {
    const at = this.out.find(user, target);
    return at === NONE ? NONE : this.out.time(at);
  }

  known(user: number, target: number): { stands: boolean; time: number } | undefined {
    return this.out.known(user, target);
  }

  entries(user: number): Generator<PairEntry> {
    return this.out.entries(user);
  }

  /** Removes `most` follows of a user who is being erased, if there are more. @returns whether there were */
  eraseSome(user: number, most: number): boolean {
    const { back } = this;
    if (back.length(user) > most) {
      for (let left = most; left > 0; left--) {
        const last = back.end(user) - 1;
        this.endFollow(back.columns.other[last], user);
        back.remove(user, last);
      }
      back.trim(user);
      return true;
    }
    if (this.count(user) <= most) return false;
    for (const target of this.following(user).slice(0, most)) {
      this.removeBack(target, user);
      this.out.remove(user, target);
    }
    this.counts[user] -= most;
    return true;
  }

  eraseUser(user: number): void {
    for (const target of this.following(user)) this.removeBack(target, user);
    for (const follower of this.followers(user)) this.endFollow(follower, user);
    this.out.clear(user);
    this.back.clear(user);
    if (user < this.counts.length) this.counts[user] = 0;
    if (user >= this.listed_low.length) return;
    this.listed_seconds[user] = 0;
    this.listed_low[user] = 0;
  }

  /** Must be called when a user was hidden or shown again. O(1). */
  noteHidden(user: number): void {
    this.hidden_follows += this.isHidden(user) ? this.count(user) : -this.count(user);
  }

  /** Counts visible followers, up to one more than `enough`. */
  private countFollowers(user: number, enough: number): number {
    if (this.hidden_follows === 0) return this.back.length(user);
    const { other } = this.back.columns;
    const end = this.back.end(user);
    let count = 0;
    for (let at = this.back.start(user); at < end && count <= enough; at++) {
      if (!this.isHidden(other[at])) count++;
    }
    return count;
  }

  /** Removes a follow from the follower's side. */
  private endFollow(follower: number, user: number): void {
    this.out.remove(follower, user);
    this.counts[follower]--;
    if (this.isHidden(follower)) this.hidden_follows--;
  }

  private addBack(target: number, user: number): void {
    // Inserting may replace the column, so it is read afterwards.
    const at = this.back.insert(target, 0);
    this.back.columns.other[at] = user;
    if (this.isHidden(user)) this.hidden_follows++;
  }

  private removeBack(target: number, user: number): void {
    for (let at = this.back.end(target) - 1; at >= this.back.start(target); at--) {
      if (this.back.columns.other[at] !== user) continue;
      this.back.remove(target, at);
      if (this.isHidden(user)) this.hidden_follows--;
      return;
    }
  }
}
