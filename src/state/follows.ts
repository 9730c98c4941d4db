import { NONE } from './change.ts';
import { grown } from './growable.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { Slabs } from './slabs.ts';
import { SubjectTables } from './subject-tables.ts';
import { joinTime, msPart, secondsPart } from './time.ts';

/** Bit of the `low` column above the milliseconds: the follow was taken back. */
const REMOVED = 1 << 13;

/**
 * Who follows whom, both ways. The later timestamp decides, ties by arrival; what was taken back stays as
 * a tombstone, so that an older message that arrives later changes nothing. A whole list speaks of every pair of its
 * user, also of pairs that nothing was said of before: what is older than the list changes nothing either.
 */
export class Follows {
  private readonly out: SubjectTables<{ seconds: Uint32Array<ArrayBuffer>; low: Uint16Array<ArrayBuffer> }>;
  private readonly back = new Slabs({ other: new Uint32Array(256) });
  /** Follows of each user that stand. */
  private standing = new Uint32Array(64);
  /** Follows of hidden users that stand. While it is 0, no follower is asked about. */
  private hidden_follows = 0;
  /** When each user last sent a whole list; 0: never. 6 bytes a user, up to the last who did. */
  private listed_seconds = new Uint32Array(64);
  private listed_low = new Uint16Array(64);

  /** @param isHidden whether a user is hidden now */
  constructor(
    { ordinal_hash, limits }: Setup = DEFAULT_SETUP,
    private readonly isHidden: (user: number) => boolean = () => false,
  ) {
    const columns = { seconds: new Uint32Array(1024), low: new Uint16Array(1024) };
    const table_limits = { keys_max: limits.follows, subject_keys_max: limits.per_subject };
    this.out = new SubjectTables(columns, 0, ordinal_hash, table_limits);
  }

  /** Pairs ever recorded, taken back ones included. */
  get pairs(): number {
    return this.out.keys;
  }

  /** The same of the user who ever had most … */
  get fullest(): number {
    return this.out.fullest;
  }

  /** … and of one user. */
  pairsOf(user: number): number {
    return this.out.count(user);
  }

  follows(user: number, target: number): boolean {
    const at = this.out.find(user, target);
    return at !== NONE && this.stands(at);
  }

  /** Whether `record` would change anything. */
  isNews(user: number, target: number, add: boolean, time: number): boolean {
    return time >= this.listedAt(user) && this.differs(this.out.find(user, target), add, time);
  }

  record(user: number, target: number, add: boolean, time: number): boolean {
    const known = this.out.find(user, target);
    if (time < this.listedAt(user) || !this.differs(known, add, time)) return false;
    const stood = known !== NONE && this.stands(known);
    const at = known === NONE ? this.out.put(user, target) : known;
    this.out.columns.seconds[at] = secondsPart(time);
    this.out.columns.low[at] = msPart(time) | (add ? 0 : REMOVED);
    if (add && !stood) this.addBack(target, user);
    if (!add && stood) this.removeBack(target, user);
    this.standing = grown(this.standing, user + 1);
    if (add !== stood) this.standing[user] += add ? 1 : -1;
    return true;
  }

  /** Records a whole list as what it changes; one that is older than the last changes nothing. O(the changes). */
  recordList(user: number, followed: readonly number[], unfollowed: readonly number[], time: number): void {
    if (time < this.listedAt(user)) return;
    this.listed_seconds = grown(this.listed_seconds, user + 1);
    this.listed_low = grown(this.listed_low, user + 1);
    this.listed_seconds[user] = secondsPart(time);
    this.listed_low[user] = msPart(time);
    for (const target of followed) this.record(user, target, true, time);
    for (const target of unfollowed) this.record(user, target, false, time);
  }

  /** The time of the latest whole list of a user; 0 without one. */
  listedAt(user: number): number {
    return user < this.listed_low.length ? joinTime(this.listed_seconds[user], this.listed_low[user]) : 0;
  }

  /** Reads what is known of where a follow lies, both ways, for `readAhead`: a number without meaning. */
  glance(user: number, target: number): number {
    return this.out.glance(user) + this.back.glance(target) + this.count(user);
  }

  /** Reads the places themselves: where the follow is or would be, and the target's last follower. */
  glanceAt(user: number, target: number): number {
    const at = this.out.near(user, target);
    const { seconds, low } = this.out.columns;
    const last = this.back.end(target) - 1;
    return this.out.slots[at] + seconds[at] + low[at] + (last < 0 ? 0 : this.back.columns.other[last]);
  }

  /** All follows that stand. */
  get size(): number {
    return this.back.size;
  }

  /** Those of them whose followers are not hidden. */
  get counted(): number {
    return this.back.size - this.hidden_follows;
  }

  /** How many users this one follows. */
  count(user: number): number {
    return user < this.standing.length ? this.standing[user] : 0;
  }

  /** How many users who are not hidden follow this one. O(1), or O(followers) while anybody is hidden. */
  followerCount(user: number): number {
    return this.countFollowers(user, Number.POSITIVE_INFINITY);
  }

  /** Whether more than so many users who are not hidden follow this one. O(`count` + hidden followers) at most. */
  hasMoreFollowers(user: number, count: number): boolean {
    return this.back.length(user) > count && this.countFollowers(user, count) > count;
  }

  /** Everybody the user follows, in no particular order. O(follows). */
  following(user: number): number[] {
    const found: number[] = [];
    for (let at = this.out.start(user); at < this.out.end(user); at++) {
      const target = this.out.key(at);
      if (target !== NONE && this.stands(at)) found.push(target);
    }
    return found;
  }

  /** The same by ordinal: what is shown or given to plugins must not depend on a hash table. O(follows, sorted). */
  followingInOrder(user: number): number[] {
    return Array.from(Int32Array.from(this.following(user)).sort());
  }

  followers(user: number): number[] {
    const found: number[] = [];
    for (let at = this.back.start(user); at < this.back.end(user); at++)
      found.push(this.back.columns.other[at]);
    return found;
  }

  /** When this follow was last said to have begun or ended; NONE when never. */
  timestamp(user: number, target: number): number {
    const at = this.out.find(user, target);
    return at === NONE ? NONE : joinTime(this.out.columns.seconds[at], this.out.columns.low[at]);
  }

  /** Every pair ever recorded for a user, taken back ones included. */
  *entries(user: number): Generator<{ target: number; time: number; standing: boolean }> {
    for (let at = this.out.start(user); at < this.out.end(user); at++) {
      const target = this.out.key(at);
      if (target === NONE) continue;
      const low = this.out.columns.low[at];
      yield { target, time: joinTime(this.out.columns.seconds[at], low), standing: (low & REMOVED) === 0 };
    }
  }

  /** Forgets a user in both directions. */
  eraseUser(user: number): void {
    for (const target of this.following(user)) this.removeBack(target, user);
    for (const follower of this.followers(user)) {
      const at = this.out.find(follower, user);
      this.out.columns.low[at] |= REMOVED;
      this.standing[follower]--;
      if (this.isHidden(follower)) this.hidden_follows--;
    }
    this.out.clear(user);
    this.back.clear(user);
    if (user < this.standing.length) this.standing[user] = 0;
    if (user >= this.listed_low.length) return;
    this.listed_seconds[user] = 0;
    this.listed_low[user] = 0;
  }

  /** A user was hidden, or is not hidden any more. O(1). */
  noteHidden(user: number): void {
    this.hidden_follows += this.isHidden(user) ? this.count(user) : -this.count(user);
  }

  /** Followers who are not hidden, until there are more than `enough`. */
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

  private stands(at: number): boolean {
    return (this.out.columns.low[at] & REMOVED) === 0;
  }

  private differs(at: number, add: boolean, time: number): boolean {
    if (at === NONE) return true;
    const known = joinTime(this.out.columns.seconds[at], this.out.columns.low[at]);
    if (time !== known) return time > known;
    return this.stands(at) !== add;
  }

  private addBack(target: number, user: number): void {
    // Inserting may replace the column: it must be looked up afterwards.
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
