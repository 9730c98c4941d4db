import { CHANGES_KEPT, type ChangeRing } from '../columns/change-ring.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import type { Effort } from './effort.ts';
import { ListDemand } from './list-demand.ts';
import { ListPass } from './list-pass.ts';
import { ListSlots, PACKED_SLOT_WORDS } from './list-slots.ts';
import { ListSweep } from './list-sweep.ts';
import { NeighbourLists, PACKED_WORDS_MAX } from './neighbour-lists.ts';
import { olderFirst } from './order.ts';
import { OverlapCorrection } from './overlap-correction.ts';
import { WALK } from './walk-constants.ts';
import type { WalkSteps } from './walk-steps.ts';

/** The maximum number of outdated lists to rebuild within a walk. */
const REBUILT_AT_ONCE = 2;
/** The number of lists to sweep per walk, since there are no idle slices under full load. */
const SWEPT_AT_ONCE = 16;
/** The number of lists that a step of the warm-up looks at to find one to correct. */
const CHECKED_AT_ONCE = 4096;
/** A packed list begins with the place of the next one and the key of its item. */
export const HEAD_WORDS = 2;
const RECORD_WORDS_MAX = HEAD_WORDS + PACKED_SLOT_WORDS + PACKED_WORDS_MAX;

/**
 * Caches the results of the walk's last two steps for requested items, outside of the fold (signals-2).
 *
 * It holds `capacity` lists and evicts the least recently used ones. A missing list is built when it is requested. An
 * outdated one is used until it is rebuilt while the service is idle: those that were requested first (`buildQueued`),
 * then all others (`refresh`). Under full load, which has no idle time, it is rebuilt after many requests.
 */
export class Neighbours {
  readonly lists: NeighbourLists;
  private readonly slots: ListSlots;
  /** The version of `State.republished` up to which lists were removed. */
  private republished: number;
  /** Removes items that were posted again, or whose ordinals will be reused. */
  private readonly sweep: ListSweep;
  /** The completed rounds of the state's recycler that lists reflect. */
  private rounds = 0;
  private readonly demand: ListDemand;
  private rebuilds_left = 0;
  private readonly pass: ListPass;
  /** The next list whose weights may have been corrected before its neighbours had lists. */
  private next_uncorrected = 0;
  private readonly overlap_correction: OverlapCorrection;
  private readonly sums: Accumulator;

  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    private readonly capacity: number,
  ) {
    this.sums = new Accumulator(state.setup.ordinal_hash);
    this.slots = new ListSlots(state, capacity);
    this.lists = new NeighbourLists(state.interactions.by_item, olderFirst(state));
    this.overlap_correction = new OverlapCorrection(this.lists, state.setup.ordinal_hash);
    this.demand = new ListDemand(capacity);
    this.pass = new ListPass(state);
    this.republished = state.republished.version;
    const builtAt = (slot: number) => this.slots.builtAt(slot);
    this.sweep = new ListSweep(this.lists, builtAt, (items, left_at) => this.removeGone(items, left_at));
    state.recycler.watch((items) => this.sweep.leave(items, state.seq));
    // These lists may contain deleted acts, or acts of an erased or hidden user.
    state.invalidated.watch((item) => this.slots.remove(item));
  }

  get waiting(): number {
    return this.demand.waiting;
  }

  get size(): number {
    return this.slots.size;
  }

  /** Whether the item's list is cached, even if outdated. */
  has(item: Ordinal): boolean {
    return this.slots.of(item) !== NONE;
  }

  /** Must be called before each walk. With less `effort` the walk rebuilds fewer outdated lists. */
  begin(effort: Effort = 1): void {
    this.rebuilds_left = Math.floor(effort * REBUILT_AT_ONCE);
    this.sweepSome();
  }

  /** Removes items from a few lists, and from all lists before their ordinals are in use again. */
  private sweepSome(): void {
    this.forgetRepublished();
    // The ordinals may be in use again.
    if (this.rounds !== this.state.recycler.completed) this.sweep.finish(this.slots.count);
    else this.sweep.step(this.slots.count, SWEPT_AT_ONCE);
    this.rounds = this.state.recycler.completed;
  }

  forgetSome(): boolean {
    this.forgetRepublished();
    return this.sweep.step(this.slots.count);
  }

  private forgetRepublished(): void {
    const { version } = this.state.republished;
    if (this.republished === version) return;
    this.sweep.leave(this.removeRecorded(this.state.republished, this.republished), this.state.seq);
    this.republished = version;
  }

  /**
   * The slot of an item's list. A missing list is built, unless the cache is full: then it is NONE (`temporary`).
   *
   * Outdated lists are queued. O(1) with a list.
   */
  find(item: Ordinal): number {
    const slot = this.slots.of(item);
    if (slot === NONE) return this.slots.is_full ? NONE : this.buildAndCorrect(item);
    if (this.slots.isValid(slot)) return slot;
    return this.mustRebuild(item) ? this.buildAndCorrect(item) : slot;
  }

  /**
   * Builds the list of an item in a slot that only lasts until the next call, so that rare requests evict nothing.
   *
   * After several requests the list is queued for the cache.
   */
  temporary(item: Ordinal): number {
    this.demand.note(item, true);
    const slot = this.capacity;
    this.spread(item);
    this.lists.fill(slot, this.sums);
    this.lists.reweigh(slot, this.corrected(slot));
    return slot;
  }

  /** Like `find`, but builds the list now if anything changed since it was built. */
  findExact(item: Ordinal): number {
    let slot = this.exactOf(item);
    if (this.slots.isCorrected(slot)) return slot;
    const corrected = this.overlap_correction.corrected(slot, (end) => this.exactOf(end));
    // Lists of neighbours may have evicted it.
    slot = this.exactOf(item);
    this.lists.reweigh(slot, corrected);
    this.slots.noteCorrected(slot);
    return slot;
  }

  /** Builds the first queued list. Returns false if none is queued. O(users × items): 10 to 500 µs. */
  buildQueued(): boolean {
    const item = this.demand.first();
    if (item === NONE) return false;
    this.buildAndCorrect(item);
    return true;
  }

  /**
   * One step of a pass over all items (`ListPass`): builds a list that is missing or outdated, without a request.
   *
   * With a full cache only outdated lists are rebuilt. When all items were looked at, the steps correct the lists whose
   * weights were corrected before their neighbours had lists. Returns false when the pass is done.
   */
  warmUp(): boolean {
    const { pass } = this;
    const item = pass.next((item) => this.needsList(item));
    if (item === NONE) return pass.is_scanning || this.correctNext();
    // Pages go on using an existing list, so it must not be without corrected weights until the end of the pass.
    if (this.has(item)) this.buildAndCorrect(item);
    else this.build(item);
    // It may use a slot that was passed already.
    this.next_uncorrected = 0;
    return true;
  }

  /** Like `warmUp`, but begins another pass when one is due. Returns false if none is. */
  refresh(): boolean {
    const { pass } = this;
    // Not at the end of a pass: a list that is corrected now would lack neighbours that the next pass builds.
    if (pass.is_due && !pass.is_scanning) {
      pass.begin();
      this.next_uncorrected = 0;
    }
    return this.warmUp();
  }

  /**
   * Copies the lists of slots from `from` on to `words`, which holds at least one.
   *
   * Items are written as keys, so that a later process with other ordinals can read them. O(words).
   * @returns the next slot and the number of words; no words if all lists were copied
   */
  pack(from: number, words: Int32Array): { next: number; used: number } {
    this.sweepSome();
    const { slots, lists } = this;
    const { names } = this.state.items;
    const keyOf = (target: Ordinal): number => (names.holds(target) ? names.key(target) : NONE);
    let next = from;
    let used = 0;
    for (; next < slots.count && used + RECORD_WORDS_MAX <= words.length; next++) {
      const item = slots.itemIn(next);
      if (item === NONE || !names.holds(item)) continue;
      const at = used + HEAD_WORDS;
      used = lists.pack(next, words, at + PACKED_SLOT_WORDS, keyOf);
      slots.pack(next, words, at);
      words[at - 2] = used;
      words[at - 1] = names.key(item);
    }
    return { next, used };
  }

  /**
   * Adds packed lists. Lists and targets that changes have made invalid are left out. O(words).
   * @param missed the changes that were applied since the lists were packed
   */
  unpack(words: Int32Array, missed: MissedChanges): void {
    if (missed.too_many) return;
    const { slots, lists } = this;
    const { names } = this.state.items;
    const ordinalOf = (key: number): Ordinal => {
      const item = names.ordinal(key);
      return missed.republished.has(item) ? NONE : item;
    };
    for (let start = 0; start < words.length; start = words[start]) {
      const at = start + HEAD_WORDS;
      const item = ordinalOf(words[at - 1]);
      if (item === NONE || missed.invalidated.has(item) || slots.is_full) continue;
      lists.unpack(
        slots.unpack(item, words, at, missed.interaction_changes),
        words,
        at + PACKED_SLOT_WORDS,
        ordinalOf,
      );
    }
  }

  clear(): void {
    this.slots.removeAll();
  }

  private needsList(item: Ordinal): boolean {
    const slot = this.slots.of(item);
    return slot === NONE ? !this.slots.is_full : this.slots.isOutdated(slot);
  }

  /** Corrects the next list that needs it, or looks at `CHECKED_AT_ONCE` lists. Returns false when all were looked at. */
  private correctNext(): boolean {
    const { slots } = this;
    const end = this.next_uncorrected + CHECKED_AT_ONCE;
    for (; this.next_uncorrected < slots.count; this.next_uncorrected++) {
      const slot = this.next_uncorrected;
      if (slot === end) return true;
      const item = slots.itemIn(slot);
      if (item === NONE || slots.isCorrected(slot)) continue;
      // A list that was corrected too early has lost its original weights.
      this.correct(slots.isUncorrected(slot) ? slot : this.build(item));
      return true;
    }
    return false;
  }

  /** Queues an outdated list. Returns true if it should be rebuilt immediately. */
  private mustRebuild(item: Ordinal): boolean {
    if (!this.demand.note(item, false) || this.rebuilds_left === 0) return false;
    this.rebuilds_left--;
    return true;
  }

  /** @returns the slot of the new list, with weights corrected by those neighbours that have lists */
  private buildAndCorrect(item: Ordinal): number {
    const slot = this.build(item);
    // A pass will build lists of its neighbours that are missing or outdated now.
    this.correct(slot, this.pass.is_scanning || this.pass.is_due);
    return slot;
  }

  /** @param early whether the list is to be corrected again at the end of a pass */
  private correct(slot: number, early = false): void {
    this.lists.reweigh(slot, this.corrected(slot));
    this.slots.noteCorrected(slot, early);
  }

  /** The list of a slot with weights corrected by those neighbours that have lists. Valid until the next call. */
  private corrected(slot: number): Accumulator {
    return this.overlap_correction.corrected(slot, (end) => this.slots.of(end));
  }

  /** The slot of an item's list as it would be built now, corrected or not. */
  private exactOf(item: Ordinal): number {
    const slot = this.slots.of(item);
    return slot !== NONE && this.slots.builtAt(slot) === this.state.seq ? slot : this.build(item);
  }

  private build(item: Ordinal): number {
    this.spread(item);
    const slot = this.slots.take(item);
    this.lists.fill(slot, this.sums);
    this.demand.forget(item);
    return slot;
  }

  /** Writes the items that an item leads to into `sums`. */
  private spread(item: Ordinal): void {
    this.sums.clear();
    this.steps.spread(item, WALK.users_per_item, WALK.acts_per_user, this.sums, WALK.acts_per_list);
  }

  /** Removes the items' own lists, except for lists of the ordinals' new items and of their new versions. */
  private removeGone(items: readonly Ordinal[], left_at: number): void {
    for (const item of items) {
      const slot = this.slots.of(item);
      if (slot !== NONE && this.slots.builtAt(slot) < left_at) this.slots.remove(item);
      this.demand.forget(item);
    }
  }

  /** Removes lists of items that a ring recorded since. All lists if the ring overflowed. @returns those items */
  private removeRecorded(ring: ChangeRing, since: number): number[] {
    const known = ring.version - since <= CHANGES_KEPT;
    const items = known ? ring.since(since, CHANGES_KEPT) : [];
    for (const item of items) this.slots.remove(item);
    if (!known) this.slots.removeAll();
    return items;
  }
}
