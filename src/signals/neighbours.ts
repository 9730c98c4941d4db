import { type Effort, NONE, type Ordinal } from '../plugin/index.ts';
import { CHANGES_KEPT, type ChangeRing } from '../state/change-ring.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { ListSweep } from './list-sweep.ts';
import { NeighbourLists } from './neighbour-lists.ts';
import { olderFirst } from './order.ts';
import type { WalkSteps } from './walk-steps.ts';

/** The latest users of an item that its neighbours come from, the latest entries of each, and of all. */
const USERS = 150;
const ITEMS = 100;
const ENTRIES = 6_000;
/** Asked for so often in vain, a list is built for whoever asks next: by then that would have been cheaper. */
const ASKED_IN_VAIN = 64;
/** When there is no room, a list is worth another one's place once it was missed so often: short walks cost less. */
const ASKED_TO_REPLACE = 8;
const TIMES = 127;
const WAITS = 128;
/** Lists built within one walk at most, … */
const BUILT_AT_ONCE = 2;
/** … and looked through for what has gone, as under full load there is no between. */
const SWEPT_AT_ONCE = 16;
/** A list is built anew when more than this share of its item's users is new, or gone … */
const CHANGED_SHARE = 1 / 8;
/** … or when it is asked for after so long: what its users did elsewhere changes it, too … */
const KEPT_SECONDS = 600;
/** … and so much longer the longer nobody had turned to the item when it was built. */
const KEPT_SHARE = 1 / 16;

/** What is known of each list, side by side, as all of it is read at once: its item, … */
const ITEM = 0;
/** … the whole second until which it serves, … */
const SERVES_UNTIL = 1;
/** … the entries that its item had when it was built, … */
const ENTRIES_THEN = 2;
/** … and whether it was asked for since the hand came by. */
const USED = 3;
const FACTS = 4;
/** Warming up begins with items of so many users; then half as many, and so on. */
const WARM_FIRST = 4096;

/**
 * For items that were asked for, the strongest ends of the walk's last two steps: a cache outside the fold
 * (decision 8) of `capacity` lists, the longest unused one given up first. Lists that are missing or outdated
 * are built when nobody waits (`buildQueued`), which never comes under full load, or when they are asked for again and again.
 */
export class Neighbours {
  readonly lists: NeighbourLists;
  /** Slot of each item + 1; 0: no list. */
  private slot_of = new Uint32Array(1024);
  private facts = new Uint32Array(256 * FACTS);
  private built_seq = new Float64Array(256);
  private slots = 0;
  /** Those of lists that were given up. */
  private readonly free: number[] = [];
  private hand = 0;
  /** Of `State.unlearnt` and `State.reborn`, what has been seen to. */
  private readonly seen: { unlearnt: number; reborn: number };
  /** Takes items out that were posted again, or whose ordinals will soon be others'. */
  private readonly sweep: ListSweep;
  /** Rounds of the state's recycler that lists know of. */
  private rounds = 0;
  /** How often each item's list was missed since it was built last (`TIMES`), and whether it waits (`WAITS`). */
  private asked = new Uint8Array(1024);
  /** Items in order of their first asking; those that do not wait any more are passed over. */
  private queue: Ordinal[] = [];
  private next = 0;
  /** Lists that wait to be built. */
  waiting = 0;
  private at_once = 0;
  /** Warming up: items with at least so many users, from this one on; below 1: done. */
  private readonly warming = { users: WARM_FIRST, item: 0 };
  private readonly sums = new Accumulator();
  found_ahead = 0;

  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    private readonly capacity: number,
  ) {
    this.lists = new NeighbourLists(state.interactions.by_item, olderFirst(state));
    this.seen = { unlearnt: state.unlearnt.version, reborn: state.reborn.version };
    const builtAt = (slot: number) => this.built_seq[slot];
    this.sweep = new ListSweep(this.lists, builtAt, (items, left_at) => this.giveUpGone(items, left_at));
    state.recycler.watch((items) => this.sweep.leave(items, state.seq));
  }

  /** Lists that are kept. */
  get size(): number {
    return this.slots - this.free.length;
  }

  /** Whether the item's list is kept, outdated or not. */
  has(item: Ordinal): boolean {
    return (this.slot_of[item] ?? 0) > 0;
  }

  /** A walk begins. With less `effort` it builds fewer lists. */
  begin(effort: Effort = 1): void {
    this.at_once = Math.floor(effort * BUILT_AT_ONCE);
    this.forgetErased();
    this.forgetReborn();
    // By now the ordinals may be others'.
    if (this.rounds !== this.state.recycler.completed) this.sweep.finish(this.slots);
    else this.sweep.step(this.slots, SWEPT_AT_ONCE);
    this.rounds = this.state.recycler.completed;
  }

  /** Takes items out of a few lists that should not lead to them any more; false when there are none. */
  forgetSome(): boolean {
    return this.sweep.step(this.slots);
  }

  /** Gives up the lists that hold traces of somebody who was erased since. */
  forgetErased(): void {
    const { version } = this.state.unlearnt;
    if (this.seen.unlearnt === version) return;
    this.giveUpNoted(this.state.unlearnt, this.seen.unlearnt);
    this.seen.unlearnt = version;
  }

  /** The same of what was learnt of items before they were deleted and posted again. */
  private forgetReborn(): void {
    const { version } = this.state.reborn;
    if (this.seen.reborn === version) return;
    this.sweep.leave(this.giveUpNoted(this.state.reborn, this.seen.reborn), this.state.seq);
    this.seen.reborn = version;
  }

  /** Reads what `find` asks of some items, and adds it up, lest a compiler leave it out. */
  readAhead(items: Int32Array, start: number, end: number): void {
    const { by_item } = this.state.interactions;
    for (let at = start; at < end; at++) {
      const slot = (this.slot_of[items[at]] ?? 0) - 1;
      if (slot !== NONE) this.found_ahead ^= this.facts[slot * FACTS] ^ by_item.length(items[at]);
    }
  }

  /**
   * The slot of an item's list, NONE when it has none. One that is missing or outdated is queued; an outdated
   * list serves until its turn. O(1), but for the few that are built here.
   */
  find(item: Ordinal): number {
    const slot = item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
    if (slot === NONE || this.outdated(item, slot)) return this.want(item) ? this.build(item) : slot;
    this.facts[slot * FACTS + USED] = 1;
    return slot;
  }

  /** As `find`, but never a list that anything has changed since: builds it now. */
  findExact(item: Ordinal): number {
    const slot = (this.slot_of[item] ?? 0) - 1;
    return slot !== NONE && this.built_seq[slot] === this.state.seq ? slot : this.build(item);
  }

  /** Builds the list that waits longest; false when none waits. O(users × items): 10 to 500 µs. */
  buildQueued(): boolean {
    while (this.next < this.queue.length) {
      const item = this.queue[this.next++];
      if ((this.asked[item] & WAITS) === 0) continue;
      this.build(item);
      return true;
    }
    return false;
  }

  /**
   * Builds the list of one item that nobody has asked for yet, as after a start: of those with many users
   * first. False when there is none, or no room.
   */
  warmUp(): boolean {
    const { warming, state } = this;
    for (; warming.users >= 1; warming.users >>= 1) {
      for (; warming.item < state.items.size; warming.item++) {
        if (this.size >= this.capacity) return false;
        const { item } = warming;
        const users = state.interactions.by_item.length(item);
        if (users < warming.users || this.has(item)) continue;
        this.build(item);
        return true;
      }
      warming.item = 0;
    }
    return false;
  }

  private outdated(item: Ordinal, slot: number): boolean {
    if (this.state.applied_at > this.facts[slot * FACTS + SERVES_UNTIL]) return true;
    const entries = this.state.interactions.by_item.length(item);
    const then = this.facts[slot * FACTS + ENTRIES_THEN];
    return Math.abs(entries - then) > CHANGED_SHARE * Math.max(entries, then);
  }

  /** Notes that a list is missed; true when it is to be built at once. */
  private want(item: Ordinal): boolean {
    this.asked = grown(this.asked, item + 1);
    const times = Math.min((this.asked[item] & TIMES) + 1, ASKED_IN_VAIN + 1);
    const waits = (this.asked[item] & WAITS) !== 0 || this.enqueue(item, times);
    this.asked[item] = times | (waits ? WAITS : 0);
    if (times <= ASKED_IN_VAIN || !waits || this.at_once === 0) return false;
    this.at_once--;
    return true;
  }

  /** @returns whether there is room in the line for an item that was asked for so often */
  private enqueue(item: Ordinal, times: number): boolean {
    const full = this.size === this.capacity && !this.has(item);
    if (times < (full ? ASKED_TO_REPLACE : 1) || this.waiting >= this.capacity) return false;
    if (this.next * 2 > this.queue.length) {
      this.queue.splice(0, this.next);
      this.next = 0;
    }
    this.queue.push(item);
    this.waiting++;
    return true;
  }

  /** @returns the slot of the new list */
  private build(item: Ordinal): number {
    this.sums.clear();
    this.steps.spread(item, USERS, ITEMS, this.sums, ENTRIES);
    const slot = this.slotFor(item);
    this.lists.fill(slot, this.sums);
    this.stopWaiting(item);
    this.built_seq[slot] = this.state.seq;
    this.noteFacts(item, slot);
    return slot;
  }

  private stopWaiting(item: Ordinal): void {
    if (((this.asked[item] ?? 0) & WAITS) !== 0) this.waiting--;
    if (item < this.asked.length) this.asked[item] = 0;
  }

  private noteFacts(item: Ordinal, slot: number): void {
    const { applied_at, interactions } = this.state;
    const log = interactions.by_item;
    const users = log.length(item);
    const quiet_seconds = users > 0 ? Math.max(0, applied_at - log.seconds(log.end(item) - 1)) : 0;
    const at = slot * FACTS;
    this.facts[at + SERVES_UNTIL] = applied_at + KEPT_SECONDS + KEPT_SHARE * quiet_seconds;
    this.facts[at + ENTRIES_THEN] = users;
  }

  private slotFor(item: Ordinal): number {
    this.slot_of = grown(this.slot_of, item + 1);
    if (this.slot_of[item] > 0) return this.slot_of[item] - 1;
    const slot = this.free.pop() ?? (this.slots < this.capacity ? this.newSlot() : this.unusedSlot());
    this.slot_of[item] = slot + 1;
    this.facts[slot * FACTS + ITEM] = item;
    this.facts[slot * FACTS + USED] = 1;
    return slot;
  }

  private newSlot(): number {
    const slot = this.slots++;
    this.facts = grown(this.facts, this.slots * FACTS);
    this.built_seq = grown(this.built_seq, this.slots);
    return slot;
  }

  /** Second chance: the first slot, going round, that was not used since the hand came by. */
  private unusedSlot(): number {
    for (;;) {
      const slot = this.hand;
      this.hand = (this.hand + 1) % this.capacity;
      if (this.facts[slot * FACTS + USED] === 0) {
        this.slot_of[this.facts[slot * FACTS + ITEM]] = 0;
        return slot;
      }
      this.facts[slot * FACTS + USED] = 0;
    }
  }

  /** Their own lists go, too, but for those of whoever has their places by now, or what they are now. */
  private giveUpGone(items: readonly Ordinal[], left_at: number): void {
    for (const item of items) {
      if (this.built_seq[(this.slot_of[item] ?? 0) - 1] < left_at) this.giveUp(item);
      this.stopWaiting(item);
    }
  }

  /** Gives up the lists of items noted since; all lists when there are more than is known. @returns those items */
  private giveUpNoted(ring: ChangeRing, since: number): number[] {
    const known = ring.version - since <= CHANGES_KEPT;
    const items = known ? ring.since(since, CHANGES_KEPT) : [];
    for (const item of items) this.giveUp(item);
    for (let slot = 0; slot < this.slots && !known; slot++) this.giveUp(this.facts[slot * FACTS + ITEM]);
    return items;
  }

  private giveUp(item: Ordinal): void {
    const slot = (this.slot_of[item] ?? 0) - 1;
    if (slot === NONE) return;
    this.slot_of[item] = 0;
    this.free.push(slot);
  }
}
