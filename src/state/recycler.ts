import { BitSet } from '../bit-set.ts';
import type { Interactions } from './interactions.ts';
import type { Items } from './items.ts';
import type { Trend } from './trend.ts';
import type { Users } from './users.ts';

const ROUND_MIN = 4096;
/** Fewer ordinals wait at most this many seconds. A round takes `ROUND_MAX` ordinals at most. */
const ROUND_SECONDS = 3600;
const ROUND_MAX = 65_536;
/** The number of table slots of users to scan after each change. */
const SLOTS_AT_ONCE = 256;

/** The parts of the state that contain item ordinals. */
interface Recycled {
  readonly applied_at: number;
  readonly users: Users;
  readonly items: Items;
  readonly interactions: Interactions;
  readonly trend: Trend;
  forgetUnused(): void;
}

/**
 * Frees the ordinals of removed items for reuse.
 *
 * Most of the state drops an item together with its name. Impressions are found by scanning all users, a few after each
 * change. Rounds follow one another, and items that are removed meanwhile wait for the next round. The recycler is part
 * of the fold, so the changes are its only clock.
 */
export class Recycler {
  static readonly transient = ['watchers'];
  /** Items that were removed since the current round began. */
  private readonly pending: number[] = [];
  private pending_since = 0;
  private round: number[] = [];
  private readonly gone = new BitSet();
  private next_user = 0;
  /** The number of completed rounds. Ordinals that they freed may be in use again. */
  completed = 0;
  private readonly watchers: ((items: readonly number[]) => void)[] = [];

  get size(): number {
    return this.pending.length + this.round.length;
  }

  /**
   * Registers a cache that contains ordinals. `leave` is called when a round begins.
   *
   * The cache must drop these items before the round completes. Until then only old cache entries can lead to them.
   */
  watch(leave: (items: readonly number[]) => void): void {
    this.watchers.push(leave);
  }

  /** Must be called when an item was deleted and its name forgotten. */
  add(item: number, applied_at: number): void {
    if (this.pending.length === 0) this.pending_since = applied_at;
    this.pending.push(item);
  }

  /** Must be called after each change. O(1), and O(freed items) at the end of a round. */
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
    // Users who are named later never saw any of these items.
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
