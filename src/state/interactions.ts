import { BitSet } from '../bit-set.ts';
import { NONE } from './change.ts';
import { CommentIds } from './comment-ids.ts';
import { InteractionLog } from './interaction-log.ts';
import type { Revisions } from './revisions.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { SubjectTables } from './subject-tables.ts';
import { Suspension, type SuspensionHooks } from './suspension.ts';
import { TOUCHED, Touched } from './touched.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One act, in ordinals, its time rounded to milliseconds and clamped. */
export interface Act {
  user: number;
  item: number;
  event_type: number;
  add: boolean;
  time: number;
  /** '' when the act has none. */
  event_id: string;
}

/** What a user's acts on an item have a say in; that it was shown is another matter. */
const OF_ACTS = TOUCHED.interacted | TOUCHED.viewed | TOUCHED.hidden | TOUCHED.logged;

/** Told of every interaction that begins or ceases to stand, so that counters follow. */
export type CountListener = (
  user: number,
  item: number,
  event_type: number,
  time: number,
  delta: 1 | -1,
) => void;

/** What is known of users elsewhere, and what follows from their acts. */
export interface InteractionHooks extends SuspensionHooks {
  onCount: CountListener;
}

/**
 * Who did what with which item, exactly: both directions of the graph, and the set of items each user has
 * met. What each kind of act means is the vocabulary's: of most kinds one act stands per user and item, the
 * later timestamp decides, ties by arrival; others are told apart by `event_id`, else by timestamp. What was
 * taken back stays in the user's log as a tombstone, so that an older message that arrives later changes
 * nothing. Acts of hidden users stand, but are suspended (`Suspension`).
 */
export class Interactions {
  static readonly transient = ['vocabulary', 'revisions'];
  /** Of each user: entries with items, taken back ones included. */
  readonly by_user: InteractionLog;
  /** Of each item: what stands of the kinds that are seen from the item; that of hidden users is suspended. */
  readonly by_item: InteractionLog;
  readonly touched: Touched;
  /** Takes acts of hidden users out of counts, and brings them back. */
  readonly suspension: Suspension;
  private readonly onCount: CountListener;
  private readonly comment_ids: CommentIds;
  /** Of each item: users whose logs hold, or held, entries of it that `by_item` does not. */
  private readonly beyond_item_log: SubjectTables<Record<never, never>>;

  constructor(
    private readonly vocabulary: Vocabulary,
    /** Of each user. */
    private readonly revisions: Revisions,
    hooks: InteractionHooks,
    setup: Setup = DEFAULT_SETUP,
  ) {
    const { hash_key, ordinal_hash, limits } = setup;
    this.onCount = hooks.onCount;
    this.by_user = new InteractionLog(limits.interactions);
    this.by_item = new InteractionLog(limits.item_interactions);
    this.touched = new Touched(setup);
    const { by_user, by_item } = this;
    this.suspension = new Suspension({ by_user, by_item }, vocabulary, hooks);
    this.comment_ids = new CommentIds(hash_key, limits.event_ids);
    const table_limits = { keys_max: limits.item_interactions, subject_keys_max: limits.per_subject };
    this.beyond_item_log = new SubjectTables({}, 0, ordinal_hash, table_limits);
  }

  /** What is known of acts from the item's side. */
  get item_side_size(): number {
    return this.by_item.size + this.beyond_item_log.keys;
  }

  /** Of the user who ever met most items, or the item with most users beyond its log. */
  get fullest(): number {
    return Math.max(this.touched.fullest, this.beyond_item_log.fullest);
  }

  /** Users whose logs hold, or held, entries of an item that its own does not. */
  usersBeyondLog(item: number): number {
    return this.beyond_item_log.count(item);
  }

  /** Comments with an `event_id`. */
  get event_ids(): number {
    return this.comment_ids.size;
  }

  /** Something is known of such an act: it was recorded, or taken back. */
  isKnown(act: Act): boolean {
    return this.entryOf(act) !== NONE;
  }

  /** When such an act was last said to have been done, or taken back; undefined when nothing is known of it. */
  known(act: Act): { stands: boolean; time: number } | undefined {
    const entry = this.entryOf(act);
    if (entry === NONE) return undefined;
    return { stands: !this.by_user.removed(entry), time: this.by_user.timestamp(entry) };
  }

  /** Whether `record` would change anything: duplicates and older news do not. */
  isNews(act: Act): boolean {
    return this.differs(act, this.entryOf(act));
  }

  /** Whether such an act stands: it was recorded and not taken back since. */
  stands(act: Act): boolean {
    const entry = this.entryOf(act);
    return entry !== NONE && !this.by_user.removed(entry);
  }

  /** Records an act if it is news. O(the user's entries) when the pair is known, else amortised O(1). */
  record(act: Act): boolean {
    const { user, item, event_type, add, time } = act;
    const entry = this.entryOf(act);
    if (!this.differs(act, entry)) return false;
    const named = act.event_id !== '' && this.vocabulary.isToldApartByTime(event_type);
    if (entry !== NONE) this.retract(user, item, entry);
    this.by_user.add(user, item, event_type, time, !add, named);
    this.suspension.added(user);
    if (named) this.comment_ids.set(user, item, act.event_id, time, !add);
    const decides = add && !this.vocabulary.movesHolding(event_type);
    this.touched.set(user, item, TOUCHED.logged | (decides ? this.vocabulary.touches(event_type) : 0));
    if (add && this.vocabulary.isOfItem(event_type)) this.addToItem(act, named);
    else {
      this.beyond_item_log.put(item, user);
      if (add) this.onCount(user, item, event_type, time, 1);
    }
    if (!decides) this.refreshTouched(user, item, event_type);
    this.revisions.note(user);
    return true;
  }

  /** Forgets everything a user did. O(their entries × entries of those items). */
  eraseUser(user: number): void {
    for (let at = this.by_user.end(user) - 1; at >= this.by_user.start(user); at--) this.detach(user, at);
    this.by_user.clear(user);
    this.suspension.drop(user);
    this.comment_ids.clear(user);
    this.touched.clear(user);
    this.revisions.note(user);
  }

  /**
   * Forgets everything that anybody did with some items, except that they were shown them. O(their acts, and what
   * moves up in their users' logs), and once O(the entries of each user who commented with an `event_id`, took an act
   * back, or did what an item's log does not hold).
   */
  eraseItems(items: readonly number[]): void {
    const users = this.whoNeedALook(items);
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
    if (!this.vocabulary.isToldApartByTime(event_type)) return this.by_user.find(user, item, event_type);
    if (act.event_id === '') return this.by_user.findAt(user, item, event_type, act.time);
    const known = this.comment_ids.fact(user, item, act.event_id);
    return known === undefined ? NONE : this.by_user.findNamed(user, item, known.time, known.removed);
  }

  private retract(user: number, item: number, entry: number): void {
    const event_type = this.by_user.event_type(entry);
    this.detach(user, entry);
    this.by_user.removeAt(user, entry);
    this.refreshTouched(user, item, event_type);
  }

  /** Users of whose acts on some items the items' logs do not say all, or not where to find them. */
  private whoNeedALook(items: readonly number[]): Set<number> {
    const users = new Set<number>();
    for (const item of items) {
      for (let at = this.beyond_item_log.start(item); at < this.beyond_item_log.end(item); at++) {
        const user = this.beyond_item_log.key(at);
        if (user !== NONE) users.add(user);
      }
      for (let at = this.by_item.start(item); at < this.by_item.end(item); at++) {
        if (this.by_item.named(at)) users.add(this.by_item.other(at));
      }
    }
    return users;
  }

  /** Removes what a user's log says of some items; the caller sees to the items'. O(the user's entries). */
  private forgetAll(user: number, items: BitSet): void {
    for (let at = this.by_user.start(user); at < this.by_user.end(user); at++) {
      const item = this.by_user.other(at);
      if (items.has(item)) this.touched.unset(user, item, OF_ACTS);
    }
    this.by_user.removeOthers(user, items);
    this.comment_ids.clearItems(user, items);
    this.revisions.note(user);
  }

  /** Removes the act that an entry of an item's log tells of from its user's; the caller sees to the item's. */
  private forgetAct(item: number, at: number): void {
    const user = this.by_item.other(at);
    const entry = this.by_user.findAt(user, item, this.by_item.event_type(at), this.by_item.timestamp(at));
    // Not there any more when all that the user did with it has been forgotten.
    if (entry === NONE) return;
    this.by_user.removeAt(user, entry);
    this.by_user.trim(user);
    this.touched.unset(user, item, OF_ACTS);
    this.revisions.note(user);
  }

  /** Adds an act that stands to its item's log and counters. */
  private addToItem({ user, item, event_type, time }: Act, named: boolean): void {
    const at = this.by_item.add(item, user, event_type, time, false, named);
    if (this.suspension.isHidden(user)) this.by_item.suspend(item, at);
    else this.onCount(user, item, event_type, time, 1);
  }

  /** Takes an entry that stands out of its item's log and counters. */
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

  /** An entry of an item's log with an `event_id`, suspended or not: those of one user and moment are alike. */
  private findNamedOfItem(item: number, user: number, time: number): number {
    const at = this.by_item.findNamed(item, user, time, false);
    return at === NONE ? this.by_item.findNamed(item, user, time, true) : at;
  }

  /** Brings what an act of this kind has a say in up to date, after one came or went. O(the user's entries). */
  private refreshTouched(user: number, item: number, event_type: number): void {
    const { vocabulary } = this;
    if (vocabulary.movesHolding(event_type)) {
      this.refreshHolding(user, item);
      return;
    }
    const bit = vocabulary.touches(event_type);
    let at = this.by_user.previousOf(user, item);
    for (; at !== NONE; at = this.by_user.previousOf(user, item, at)) {
      if (!this.by_user.removed(at) && vocabulary.touches(this.by_user.event_type(at)) === bit) return;
    }
    this.touched.unset(user, item, bit);
  }

  /** The latest act that acquires or releases decides. O(the user's entries since then). */
  private refreshHolding(user: number, item: number): void {
    let at = this.by_user.previousOf(user, item);
    for (; at !== NONE; at = this.by_user.previousOf(user, item, at)) {
      if (this.by_user.removed(at)) continue;
      const event_type = this.by_user.event_type(at);
      if (!this.vocabulary.movesHolding(event_type)) continue;
      if (this.vocabulary.effect(event_type) === 'releases') break;
      this.touched.set(user, item, TOUCHED.interacted);
      return;
    }
    this.touched.unset(user, item, TOUCHED.interacted);
  }
}
