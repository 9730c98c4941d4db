import { BitSet } from '../bit-set.ts';
import type { Revisions } from '../columns/change-ring.ts';
import { SubjectTables } from '../columns/subject-tables.ts';
import { NONE } from '../model/key.ts';
import { ActFlags } from './act-flags.ts';
import { CommentIds, type StoredComment } from './comment-ids.ts';
import type { CountListener, InteractionHooks } from './interaction-hooks.ts';
import { InteractionLog } from './interaction-log.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { Suspension } from './suspension.ts';
import { TOUCHED, Touched } from './touched.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Act {
  user: number;
  item: number;
  event_type: number;
  add: boolean;
  time: number;
  /** '' without one. */
  event_id: string;
}

type UnnamedAct = Omit<Act, 'event_id'>;

/** A user's acts on an item that outlive its deletion, in order of time. */
interface KeptActs {
  user: number;
  item: number;
  acts: { act: UnnamedAct; named: boolean }[];
  comments: StoredComment[];
}

/** The flags that a user's acts on an item affect. Impressions are separate. */
const OF_ACTS = TOUCHED.interacted | TOUCHED.viewed | TOUCHED.hidden | TOUCHED.logged;

/**
 * The number of acts from which on they are removed from a log in one pass. Removing one of them moves all later
 * entries, which is several times faster than a pass.
 */
const PASS_MIN = 32;
/** The number of a user's entries from which on it matters how acts are removed from their log. */
const LONG_LOG_MIN = 1_024;

/**
 * All interactions of users with items: both directions of the graph, and the set of items of each user.
 *
 * The vocabulary defines what each type means. Most types have one act per user and item: the later timestamp wins,
 * ties by arrival. Acts of other types are identified by `event_id`, or else by timestamp. A removed act stays in the
 * user's log as a tombstone, so an older message that arrives later changes nothing. Acts of hidden users are kept, but
 * suspended (`Suspension`).
 */
export class Interactions {
  static readonly transient = ['vocabulary', 'revisions', 'flags'];
  /** For each user: entries with items, including removed ones. */
  readonly by_user: InteractionLog;
  /** For each item: current acts of the types that item logs hold. Acts of hidden users are suspended. */
  readonly by_item: InteractionLog;
  readonly touched: Touched;
  /** Removes acts of hidden users from counts, and restores them. */
  readonly suspension: Suspension;
  private readonly flags: ActFlags;
  private readonly onCount: CountListener;
  private readonly comment_ids: CommentIds;
  /** For each item: users whose logs hold or held entries that `by_item` does not. */
  private readonly beyond_item_log: SubjectTables<Record<never, never>>;

  constructor(
    private readonly vocabulary: Vocabulary,
    /** By user. */
    private readonly revisions: Revisions,
    hooks: InteractionHooks,
    setup: Setup = DEFAULT_SETUP,
  ) {
    const { hash_key, ordinal_hash, limits } = setup;
    this.onCount = hooks.onCount;
    this.by_user = new InteractionLog(limits.interactions);
    this.by_item = new InteractionLog(limits.item_interactions);
    this.touched = new Touched(setup);
    const { by_user, by_item, touched } = this;
    this.flags = new ActFlags(vocabulary, by_user, touched);
    this.suspension = new Suspension({ by_user, by_item }, vocabulary, hooks);
    this.comment_ids = new CommentIds(hash_key, limits.event_ids);
    const table_limits = { keys_max: limits.item_interactions, subject_keys_max: limits.per_subject };
    this.beyond_item_log = new SubjectTables({}, 0, ordinal_hash, table_limits);
  }

  get item_side_size(): number {
    return this.by_item.size + this.beyond_item_log.keys;
  }

  /** The largest set of one user's items, or of one item's users beyond its log. */
  get fullest(): number {
    return Math.max(this.touched.fullest, this.beyond_item_log.fullest);
  }

  usersBeyondLog(item: number): number {
    return this.beyond_item_log.count(item);
  }

  get event_ids(): number {
    return this.comment_ids.size;
  }

  /** Whether such an act was ever recorded or removed. */
  isKnown(act: Act): boolean {
    return this.entryOf(act) !== NONE;
  }

  known(act: Act): { stands: boolean; time: number } | undefined {
    const entry = this.entryOf(act);
    if (entry === NONE) return undefined;
    return { stands: !this.by_user.removed(entry), time: this.by_user.timestamp(entry) };
  }

  /** Whether `record` would change anything. Duplicates and older messages do not. */
  wouldChange(act: Act): boolean {
    return this.differs(act, this.entryOf(act));
  }

  stands(act: Act): boolean {
    const entry = this.entryOf(act);
    return entry !== NONE && !this.by_user.removed(entry);
  }

  /** Records an act unless it is a duplicate or too old. O(the user's entries) for known pairs, else amortised O(1). */
  record(act: Act): boolean {
    const { user, item, event_type, add, time } = act;
    const entry = this.entryOf(act);
    if (!this.differs(act, entry)) return false;
    const named = act.event_id !== '' && this.vocabulary.isIdentifiedByTime(event_type);
    if (entry !== NONE) this.retract(user, item, entry);
    if (named) this.comment_ids.set(user, item, act.event_id, time, !add);
    this.put(act, named);
    return true;
  }

  /** Adds an act that is unknown. @param kept see `CountListener` */
  private put(act: UnnamedAct, named: boolean, kept = false): void {
    const { user, item, event_type, add, time } = act;
    this.by_user.add(user, item, event_type, time, !add, named);
    this.suspension.added(user);
    const decides = add && !this.vocabulary.movesHolding(event_type);
    this.touched.set(user, item, TOUCHED.logged | (decides ? this.vocabulary.touches(event_type) : 0));
    if (add && this.vocabulary.isOfItem(event_type)) this.addToItem(act, named, kept);
    else {
      this.beyond_item_log.put(item, user);
      if (add) this.onCount(user, item, event_type, time, 1, kept);
    }
    if (!decides) this.flags.refresh(user, item, event_type);
    this.revisions.note(user);
  }

  /**
   * Forgets acts of one type, which is identified by time, by a user on an item. They leave no trace.
   *
   * O(the user's entries + the item's entries).
   * @param time of the only act to forget; by default all are forgotten
   */
  forget({ user, item, event_type }: Pick<Act, 'user' | 'item' | 'event_type'>, time?: number): boolean {
    const { by_user } = this;
    if (time === undefined) {
      const entries = by_user.findAll(user, item, event_type);
      if (entries.length === 0) return false;
      this.detachAll(user, entries, event_type);
      const gone = new Set(entries);
      by_user.removeWhere(user, (at) => gone.has(at));
    } else {
      const entry = by_user.findAt(user, item, event_type, time);
      if (entry === NONE) return false;
      this.detach(user, entry);
      by_user.removeAt(user, entry);
    }
    this.flags.refresh(user, item, event_type);
    by_user.trim(user);
    if (by_user.previousOf(user, item) === NONE) this.touched.drop(user, item, OF_ACTS);
    if (this.isPastBeyondLog(user, item)) this.beyond_item_log.remove(item, user);
    this.revisions.note(user);
    return true;
  }

  /** Forgets a user's latest `most` acts, and others on items with many of these, if there are more. @returns the items */
  eraseSome(user: number, most: number): ReadonlySet<number> {
    const entries = this.by_user.entries(user);
    if (entries.length <= most) return new Set();
    const latest = entries.slice(-most);
    const counts = this.countsByItem(latest);
    const isOften = (at: number): boolean => (counts.get(this.by_user.other(at)) ?? 0) >= PASS_MIN;
    const goes = (at: number): boolean => at >= latest[0] || isOften(at);
    this.detachAll(user, entries.filter(goes));
    this.by_user.removeWhere(user, goes);
    return new Set(counts.keys());
  }

  /** Forgets all acts of a user. O(their entries + entries of those items). */
  eraseUser(user: number): void {
    this.detachAll(user, this.by_user.entries(user));
    this.by_user.clear(user);
    this.suspension.drop(user);
    this.comment_ids.clear(user);
    this.touched.clear(user);
    this.revisions.note(user);
  }

  /**
   * Forgets acts on some items, except for impressions and for acts from a time on.
   *
   * O(their acts, plus moving entries in the users' logs). In addition O(the entries of each user who commented with an
   * `event_id`, removed an act, or has an act that item logs do not hold), once.
   * @param before in seconds; by default all acts are forgotten
   */
  eraseItems(items: readonly number[], before = Number.POSITIVE_INFINITY): void {
    const kept =
      before === Number.POSITIVE_INFINITY ? [] : items.flatMap((item) => this.actsFrom(item, before));
    const users = this.usersToScan(items);
    if (users.size > 0) {
      const erased = new BitSet();
      for (const item of items) erased.add(item);
      for (const user of users) this.forgetAll(user, erased);
    }
    for (const item of items) {
      for (let at = this.by_item.start(item); at < this.by_item.end(item); at++) this.forgetAct(item, at);
      this.by_item.clear(item);
      this.beyond_item_log.clear(item);
    }
    for (const { user, item, acts, comments } of kept) {
      this.comment_ids.restore(user, item, comments);
      for (const { act, named } of acts) this.put(act, named, true);
    }
  }

  private actsFrom(item: number, time: number): KeptActs[] {
    const users = this.usersToScan([item]);
    for (let at = this.by_item.firstAtOrAfter(item, time); at < this.by_item.end(item); at++)
      users.add(this.by_item.other(at));
    const kept: KeptActs[] = [];
    for (const user of users) {
      const acts: KeptActs['acts'] = [];
      for (let at = this.by_user.firstAtOrAfter(user, time); at < this.by_user.end(user); at++) {
        if (this.by_user.other(at) !== item) continue;
        const event_type = this.by_user.event_type(at);
        const act = {
          user,
          item,
          event_type,
          add: !this.by_user.removed(at),
          time: this.by_user.timestamp(at),
        };
        acts.push({ act, named: this.by_user.named(at) });
      }
      if (acts.length > 0) kept.push({ user, item, acts, comments: this.comment_ids.from(user, item, time) });
    }
    return kept;
  }

  /** The users whose logs hold or held entries of an item that its own log does not. */
  *beyondLog(item: number): Generator<number> {
    const { beyond_item_log } = this;
    for (let at = beyond_item_log.start(item); at < beyond_item_log.end(item); at++) {
      const user = beyond_item_log.key(at);
      if (user !== NONE) yield user;
    }
  }

  /** Whether the user's log held entries of an item that its own log does not, and has none. O(the user's entries). */
  private isPastBeyondLog(user: number, item: number): boolean {
    const { by_user, vocabulary } = this;
    if (this.beyond_item_log.find(item, user) === NONE) return false;
    let at = by_user.previousOf(user, item);
    while (at !== NONE && vocabulary.isOfItem(by_user.event_type(at)) && !by_user.removed(at))
      at = by_user.previousOf(user, item, at);
    return at === NONE;
  }

  private differs(act: Act, entry: number): boolean {
    if (entry === NONE) return true;
    const known = this.by_user.timestamp(entry);
    if (act.time !== known) return act.time > known;
    return this.by_user.removed(entry) === act.add;
  }

  private entryOf(act: Act): number {
    const { user, item, event_type } = act;
    if ((this.touched.flags(user, item) & TOUCHED.logged) === 0) return NONE;
    if (!this.vocabulary.isIdentifiedByTime(event_type)) return this.by_user.find(user, item, event_type);
    if (act.event_id === '') return this.by_user.findAt(user, item, event_type, act.time);
    const known = this.comment_ids.fact(user, item, act.event_id);
    return known === undefined ? NONE : this.by_user.findNamed(user, item, known.time, known.removed);
  }

  private retract(user: number, item: number, entry: number): void {
    const event_type = this.by_user.event_type(entry);
    this.detach(user, entry);
    this.by_user.removeAt(user, entry);
    this.flags.refresh(user, item, event_type);
  }

  /** Users with acts on some items that the items' logs do not hold or cannot locate, or with many such acts. */
  private usersToScan(items: readonly number[]): Set<number> {
    const users = new Set<number>();
    const counts = new Map<number, number>();
    const isPassWorth = (user: number): boolean => {
      if (this.by_user.length(user) < LONG_LOG_MIN) return false;
      const count = (counts.get(user) ?? 0) + 1;
      counts.set(user, count);
      return count === PASS_MIN;
    };
    for (const item of items) {
      for (const user of this.beyondLog(item)) users.add(user);
      for (let at = this.by_item.start(item); at < this.by_item.end(item); at++) {
        const user = this.by_item.other(at);
        if (this.by_item.named(at) || isPassWorth(user)) users.add(user);
      }
    }
    return users;
  }

  /** Removes a user's entries about some items. The caller updates the items' logs. O(the user's entries). */
  private forgetAll(user: number, items: BitSet): void {
    for (let at = this.by_user.start(user); at < this.by_user.end(user); at++) {
      const item = this.by_user.other(at);
      if (items.has(item)) this.touched.unset(user, item, OF_ACTS);
    }
    this.by_user.removeOthers(user, items);
    this.comment_ids.clearItems(user, items);
    this.revisions.note(user);
  }

  /** Removes the act of an item's entry from its user's log. The caller updates the item's log. */
  private forgetAct(item: number, at: number): void {
    const user = this.by_item.other(at);
    const entry = this.by_user.findAt(user, item, this.by_item.event_type(at), this.by_item.timestamp(at));
    // Missing if all acts of this user on the item have been forgotten.
    if (entry === NONE) return;
    this.by_user.removeAt(user, entry);
    this.by_user.trim(user);
    this.touched.unset(user, item, OF_ACTS);
    this.revisions.note(user);
  }

  private addToItem({ user, item, event_type, time }: UnnamedAct, named: boolean, kept: boolean): void {
    const at = this.by_item.add(item, user, event_type, time, false, named);
    if (this.suspension.isHidden(user)) this.by_item.suspend(item, at);
    else this.onCount(user, item, event_type, time, 1, kept);
  }

  private detach(user: number, entry: number): void {
    if (this.by_user.removed(entry)) return;
    const item = this.by_user.other(entry);
    const event_type = this.by_user.event_type(entry);
    const time = this.by_user.timestamp(entry);
    let counted = true;
    if (this.vocabulary.isOfItem(event_type)) {
      const at = this.by_user.named(entry)
        ? this.findNamedOfItem(item, user, time)
        : this.by_item.findAt(item, user, event_type, time);
      counted = at === NONE || !this.by_item.removed(at);
      if (at !== NONE) this.by_item.removeAt(item, at);
    }
    if (counted) this.onCount(user, item, event_type, time, -1);
  }

  /** @param event_type if given, the entries are all those of this type, without an `event_id`, on an item */
  private detachAll(user: number, entries: readonly number[], event_type?: number): void {
    const { by_user, vocabulary } = this;
    const counts = this.countsByItem(entries);
    const isInPass = (item: number): boolean => (counts.get(item) ?? 0) >= PASS_MIN;
    for (const entry of entries)
      if (!isInPass(by_user.other(entry)) || !vocabulary.isOfItem(by_user.event_type(entry)))
        this.detach(user, entry);
    for (const item of counts.keys()) if (isInPass(item)) this.detachFrom(item, user, event_type);
  }

  /** How many of some entries of a user are about each item. */
  private countsByItem(entries: readonly number[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const entry of entries) {
      const item = this.by_user.other(entry);
      counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    return counts;
  }

  private detachFrom(item: number, user: number, event_type: number | undefined): void {
    const { by_item } = this;
    const goes = (at: number): boolean =>
      by_item.other(at) === user &&
      (event_type === undefined || (by_item.event_type(at) === event_type && !by_item.named(at)));
    for (let at = by_item.start(item); at < by_item.end(item); at++)
      if (goes(at) && !by_item.removed(at))
        this.onCount(user, item, by_item.event_type(at), by_item.timestamp(at), -1);
    by_item.removeWhere(item, goes);
  }

  /** Finds an item's entry with an `event_id`, suspended or not. Entries of one user and moment are interchangeable. */
  private findNamedOfItem(item: number, user: number, time: number): number {
    const at = this.by_item.findNamed(item, user, time, false);
    return at === NONE ? this.by_item.findNamed(item, user, time, true) : at;
  }
}
