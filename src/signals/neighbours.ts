import { type Effort, NONE, type Ordinal } from '../plugin/index.ts';
import { CHANGES_KEPT, type ChangeRing } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { ListDemand } from './list-demand.ts';
import { ListSlots } from './list-slots.ts';
import { ListSweep } from './list-sweep.ts';
import { NeighbourLists } from './neighbour-lists.ts';
import { olderFirst } from './order.ts';
import { Sharpener } from './sharpener.ts';
import type { WalkSteps } from './walk-steps.ts';

/** The latest users of an item that its neighbours come from, the latest entries of each, and of all. */
const USERS = 150;
const ITEMS = 100;
const ENTRIES = 6_000;
/** Lists built within one walk at most, … */
const BUILT_AT_ONCE = 2;
/** … and looked through for what has gone, as under full load there is no between. */
const SWEPT_AT_ONCE = 16;
/** Warming up begins with items of so many users; then half as many, and so on. */
const WARM_FIRST = 4096;

/**
 * For items that were asked for, the strongest ends of the walk's last two steps: a cache outside the fold
 * (signals-2) of `capacity` lists, the longest unused one given up first. Lists that are missing or outdated
 * are built when nobody waits (`buildQueued`), which never comes under full load, or when they are asked for again and again.
 */
export class Neighbours {
  readonly lists: NeighbourLists;
  private readonly slots: ListSlots;
  /** The version of `State.republished` up to which lists were given up. */
  private republished: number;
  /** Takes items out that were posted again, or whose ordinals will soon be others'. */
  private readonly sweep: ListSweep;
  /** Rounds of the state's recycler that lists know of. */
  private rounds = 0;
  private readonly demand: ListDemand;
  private at_once = 0;
  /** Warming up: items with at least so many users, from this one on; below 1: done. Under way as long as it may build one. */
  private readonly warming = { users: WARM_FIRST, item: 0, under_way: true };
  /** The next list that may have been built before its neighbours had theirs. */
  private next_blunt = 0;
  private readonly sharpener: Sharpener;
  private readonly sums: Accumulator;

  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    capacity: number,
  ) {
    this.sums = new Accumulator(state.setup.ordinal_hash);
    this.slots = new ListSlots(state, capacity);
    this.lists = new NeighbourLists(state.interactions.by_item, olderFirst(state));
    this.sharpener = new Sharpener(this.lists, state.setup.ordinal_hash);
    this.demand = new ListDemand(capacity);
    this.republished = state.republished.version;
    const builtAt = (slot: number) => this.slots.builtAt(slot);
    this.sweep = new ListSweep(this.lists, builtAt, (items, left_at) => this.giveUpGone(items, left_at));
    state.recycler.watch((items) => this.sweep.leave(items, state.seq));
    // Lists that hold traces of an erased or hidden user.
    state.invalidated.watch((item) => this.slots.giveUp(item));
  }

  /** Lists that wait to be built. */
  get waiting(): number {
    return this.demand.waiting;
  }

  /** Lists that are kept. */
  get size(): number {
    return this.slots.size;
  }

  /** Whether the item's list is kept, outdated or not. */
  has(item: Ordinal): boolean {
    return this.slots.of(item) !== NONE;
  }

  /** A walk begins. With less `effort` it builds fewer lists. */
  begin(effort: Effort = 1): void {
    this.at_once = Math.floor(effort * BUILT_AT_ONCE);
    this.forgetReborn();
    // By now the ordinals may be others'.
    if (this.rounds !== this.state.recycler.completed) this.sweep.finish(this.slots.count);
    else this.sweep.step(this.slots.count, SWEPT_AT_ONCE);
    this.rounds = this.state.recycler.completed;
  }

  /** Takes items out of a few lists that should not lead to them any more; false when there are none. */
  forgetSome(): boolean {
    this.forgetReborn();
    return this.sweep.step(this.slots.count);
  }

  /** Gives up what was learnt of items before they were deleted and posted again. */
  private forgetReborn(): void {
    const { version } = this.state.republished;
    if (this.republished === version) return;
    this.sweep.leave(this.giveUpNoted(this.state.republished, this.republished), this.state.seq);
    this.republished = version;
  }

  /**
   * The slot of an item's list, NONE when it has none. One that is missing or outdated is queued; an outdated
   * list serves until its turn. O(1), but for the few that are built here.
   */
  find(item: Ordinal): number {
    const slot = this.slots.of(item);
    if (slot !== NONE && this.slots.serves(slot)) return slot;
    return this.want(item) ? this.buildAndSharpen(item) : slot;
  }

  /** As `find`, but never a list that anything has changed since: builds it now. */
  findExact(item: Ordinal): number {
    let slot = this.exactOf(item);
    if (this.slots.isSharp(slot)) return slot;
    const sharpened = this.sharpener.sharpened(slot, (end) => this.exactOf(end));
    // Those of its neighbours may have taken its place.
    slot = this.exactOf(item);
    this.lists.reweigh(slot, sharpened);
    this.slots.noteSharpened(slot);
    return slot;
  }

  /** Builds the list that waits longest; false when none waits. O(users × items): 10 to 500 µs. */
  buildQueued(): boolean {
    const item = this.demand.first();
    if (item === NONE) return false;
    this.buildAndSharpen(item);
    return true;
  }

  /**
   * Builds the list of one item that nobody has asked for yet, as after a start: of those with many users
   * first. When there is none, or no room, sharpens one of the lists that are there; false when all are sharp.
   */
  warmUp(): boolean {
    const item = this.slots.is_full ? NONE : this.nextUnlisted();
    this.warming.under_way = item !== NONE;
    if (item === NONE) return this.sharpenNext();
    this.build(item);
    // Its place may be one that was passed.
    this.next_blunt = 0;
    return true;
  }

  /** The next item that has users and no list; NONE when all have been passed. */
  private nextUnlisted(): Ordinal {
    const { warming, state } = this;
    for (; warming.users >= 1; warming.users >>= 1) {
      for (; warming.item < state.items.size; warming.item++) {
        const { item } = warming;
        if (state.interactions.by_item.standing(item) >= warming.users && !this.has(item)) return item;
      }
      warming.item = 0;
    }
    return NONE;
  }

  private sharpenNext(): boolean {
    const { slots } = this;
    for (; this.next_blunt < slots.count; this.next_blunt++) {
      const slot = this.next_blunt;
      const item = slots.itemIn(slot);
      if (item === NONE || slots.isSharp(slot)) continue;
      // One that was sharpened too early has lost what it was made of.
      if (slots.isBlunt(slot)) this.sharpen(slot);
      else this.buildAndSharpen(item);
      return true;
    }
    return false;
  }

  /** Notes that a list is missed; true when it is to be built at once. */
  private want(item: Ordinal): boolean {
    const full = this.slots.is_full && !this.has(item);
    if (!this.demand.note(item, full) || this.at_once === 0) return false;
    this.at_once--;
    return true;
  }

  /** @returns the slot of the new list, sharpened by those of its neighbours that are there */
  private buildAndSharpen(item: Ordinal): number {
    const slot = this.build(item);
    this.sharpen(slot);
    return slot;
  }

  private sharpen(slot: number): void {
    const sharpened = this.sharpener.sharpened(slot, (end) => this.slots.of(end));
    this.lists.reweigh(slot, sharpened);
    this.slots.noteSharpened(slot, this.warming.under_way);
  }

  /** The slot of an item's list as it would be built now, sharpened or not. */
  private exactOf(item: Ordinal): number {
    const slot = this.slots.of(item);
    return slot !== NONE && this.slots.builtAt(slot) === this.state.seq ? slot : this.build(item);
  }

  /** @returns the slot of the new list */
  private build(item: Ordinal): number {
    this.sums.clear();
    this.steps.spread(item, USERS, ITEMS, this.sums, ENTRIES);
    const slot = this.slots.take(item);
    this.lists.fill(slot, this.sums);
    this.demand.forget(item);
    return slot;
  }

  /** Their own lists go, too, but for those of whoever has their places by now, or what they are now. */
  private giveUpGone(items: readonly Ordinal[], left_at: number): void {
    for (const item of items) {
      const slot = this.slots.of(item);
      if (slot !== NONE && this.slots.builtAt(slot) < left_at) this.slots.giveUp(item);
      this.demand.forget(item);
    }
  }

  /** Gives up the lists of items noted since; all lists when there are more than is known. @returns those items */
  private giveUpNoted(ring: ChangeRing, since: number): number[] {
    const known = ring.version - since <= CHANGES_KEPT;
    const items = known ? ring.since(since, CHANGES_KEPT) : [];
    for (const item of items) this.slots.giveUp(item);
    if (!known) this.slots.giveUpAll();
    return items;
  }
}
