import { BitSet } from '../bit-set.ts';
import type { Interactions } from './interactions.ts';
import type { Items } from './items.ts';
import type { Trend } from './trend.ts';
import type { Users } from './users.ts';

/** A round begins with so many ordinals … */
const ROUND_MIN = 4096;
/** … or so long (seconds) after the first of fewer was given up; it takes so many at most. */
const ROUND_SECONDS = 3600;
const ROUND_MAX = 65_536;
/** Slots of users' tables that are looked at after each change. */
const SLOTS_AT_ONCE = 256;

/** The parts of the state that hold ordinals of items. */
interface Recycled {
  readonly applied_at: number;
  readonly users: Users;
  readonly items: Items;
  readonly interactions: Interactions;
  readonly trend: Trend;
  forgetUnused(): void;
}

/**
 * Frees the ordinals of items that are gone for good, so that new items can have them. Most of the state lets
 * go of an item together with its name; what every user was shown is found by going through all users, a few
 * after each change. One round after another: those that are given up meanwhile are for the next. Part of
 * the fold, so it has no other clock than the changes themselves.
 */
export class Recycler {
  static readonly transient = ['watchers'];
  /** Given up since the round began that is under way. */
  private readonly pending: number[] = [];
  /** When the first of these was. */
  private pending_since = 0;
  /** The ordinals of this round … */
  private round: number[] = [];
  /** … and the same as a set. */
  private readonly gone = new BitSet();
  private next_user = 0;
  /** Rounds completed: what they freed may be given to others. */
  completed = 0;
  private readonly watchers: ((items: readonly number[]) => void)[] = [];

  /** Ordinals that are nobody's and cannot be given out yet. */
  get size(): number {
    return this.pending.length + this.round.length;
  }

  /**
   * Caches that hold ordinals are told when a round begins; when it is completed they must have let go of them.
   * Until then nobody can be led to these items but by what such a cache holds already.
   */
  watch(leave: (items: readonly number[]) => void): void {
    this.watchers.push(leave);
  }

  /** An item was deleted and its name forgotten. */
  giveUp(item: number, applied_at: number): void {
    if (this.pending.length === 0) this.pending_since = applied_at;
    this.pending.push(item);
  }

  /** A change was applied. O(1), and at the end of a round O(what it frees). */
  step(state: Recycled): void {
    if (this.round.length > 0) this.sweep(state);
    else if (this.isDue(state.applied_at)) this.begin(state);
  }

  private isDue(applied_at: number): boolean {
    const { length } = this.pending;
    return length >= ROUND_MIN || (length > 0 && applied_at - this.pending_since >= ROUND_SECONDS);
  }

  private begin({ applied_at }: Recycled): void {
    this.round = this.pending.splice(0, ROUND_MAX);
    this.pending_since = applied_at;
    for (const item of this.round) this.gone.add(item);
    this.next_user = 0;
    for (const leave of this.watchers) leave(this.round);
  }

  private sweep(state: Recycled): void {
    const { touched } = state.interactions;
    const isGone = (item: number): boolean => this.gone.has(item);
    let left = SLOTS_AT_ONCE;
    // Users who are named later were never shown any of these.
    while (left > 0 && this.next_user < state.users.size) {
      left -= 1 + touched.forget(this.next_user++, isGone);
    }
    if (this.next_user >= state.users.size) this.free(state);
  }

  private free(state: Recycled): void {
    state.trend.forget((item) => this.gone.has(item));
    for (const item of this.round) {
      state.items.reset(item);
      state.items.names.release(item);
    }
    state.forgetUnused();
    this.gone.clear();
    this.round = [];
    this.completed++;
  }
}
