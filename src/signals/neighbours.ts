import { NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import type { WalkSteps } from './walk-steps.ts';

/** Neighbours kept of each item: 64 keep about 97 % of the walk's recall, in 512 bytes. */
const LIST_LENGTH = 64;
/** The latest users of an item that its neighbours come from, and the latest entries of each. */
const USERS = 50;
const ITEMS = 50;
/** A list is built anew when more than this share of its item's users has changed. */
const CHANGED_SHARE = 1 / 8;

/**
 * For items that were asked for, the strongest ends of the walk's last two steps: a cache outside the fold
 * (design decision 5) of `capacity` lists, the longest unused one given up first. Lists that are missing
 * or outdated are queued; `buildQueued` builds them when nobody waits.
 */
export class Neighbours {
  /** Slot of each item + 1; 0: no list. */
  private slot_of = new Uint32Array(1024);
  private item_of: Int32Array;
  private count: Uint8Array;
  private used: Uint8Array;
  private built_activity: Uint32Array;
  private built_seq: Float64Array;
  private targets: Int32Array;
  private weights: Float32Array;
  private slots = 0;
  private hand = 0;
  private erasures = 0;
  /** Items whose lists wait to be built, in order of their first asking. */
  private readonly queue = new Set<Ordinal>();
  private readonly sums = new Accumulator();
  private readonly strongest = new Strongest(LIST_LENGTH);

  constructor(
    private readonly state: State,
    private readonly steps: WalkSteps,
    private readonly capacity: number,
  ) {
    const first = Math.min(capacity, 256);
    this.item_of = new Int32Array(first);
    this.count = new Uint8Array(first);
    this.used = new Uint8Array(first);
    this.built_activity = new Uint32Array(first);
    this.built_seq = new Float64Array(first);
    this.targets = new Int32Array(first * LIST_LENGTH);
    this.weights = new Float32Array(first * LIST_LENGTH);
  }

  /** Gives up every list if somebody was erased since: lists may hold traces of what they did. */
  forgetErased(): void {
    if (this.erasures === this.state.erasures) return;
    this.erasures = this.state.erasures;
    for (let slot = 0; slot < this.slots; slot++) this.slot_of[this.item_of[slot]] = 0;
    this.slots = 0;
    this.hand = 0;
  }

  /** Lists that wait to be built. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * Adds an item's neighbours, times `scale`, to `into`. False when it has no list, which is then queued;
   * an outdated list serves until its turn. O(64).
   */
  add(item: Ordinal, scale: number, into: Accumulator): boolean {
    const slot = item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
    if (slot === NONE || this.outdated(item, slot)) this.enqueue(item);
    if (slot === NONE) return false;
    this.addSlot(slot, scale, into);
    return true;
  }

  /** As `add`, but never from a list that anything has changed since: builds it now. */
  addExact(item: Ordinal, scale: number, into: Accumulator): void {
    const slot = item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
    const current = slot !== NONE && this.built_seq[slot] === this.state.seq;
    this.addSlot(current ? slot : this.build(item), scale, into);
  }

  /** Builds the list that waits longest; false when none waits. O(users × items): 10 to 150 µs. */
  buildQueued(): boolean {
    const item = this.queue.values().next().value;
    if (item === undefined) return false;
    this.queue.delete(item);
    this.build(item);
    return true;
  }

  private addSlot(slot: number, scale: number, into: Accumulator): void {
    this.used[slot] = 1;
    const start = slot * LIST_LENGTH;
    for (let at = start; at < start + this.count[slot]; at++)
      into.add(this.targets[at], scale * this.weights[at]);
  }

  private outdated(item: Ordinal, slot: number): boolean {
    const changes = this.state.items.activity(item) - this.built_activity[slot];
    return changes > this.state.interactions.by_item.length(item) * CHANGED_SHARE;
  }

  private enqueue(item: Ordinal): void {
    if (this.queue.size < this.capacity) this.queue.add(item);
  }

  /** @returns the slot of the new list */
  private build(item: Ordinal): number {
    this.sums.clear();
    this.steps.spread(item, USERS, ITEMS, 1, this.sums);
    this.strongest.select(this.sums);
    const slot = this.slotFor(item);
    const start = slot * LIST_LENGTH;
    this.count[slot] = this.strongest.copyTo(this.targets, this.weights, start);
    this.built_activity[slot] = this.state.items.activity(item);
    this.built_seq[slot] = this.state.seq;
    return slot;
  }

  private slotFor(item: Ordinal): number {
    this.slot_of = grown(this.slot_of, item + 1);
    if (this.slot_of[item] > 0) return this.slot_of[item] - 1;
    const slot = this.slots < this.capacity ? this.newSlot() : this.freedSlot();
    this.slot_of[item] = slot + 1;
    this.item_of[slot] = item;
    this.used[slot] = 1;
    return slot;
  }

  private newSlot(): number {
    const slot = this.slots++;
    this.item_of = grown(this.item_of, this.slots);
    this.count = grown(this.count, this.slots);
    this.used = grown(this.used, this.slots);
    this.built_activity = grown(this.built_activity, this.slots);
    this.built_seq = grown(this.built_seq, this.slots);
    this.targets = grown(this.targets, this.slots * LIST_LENGTH);
    this.weights = grown(this.weights, this.slots * LIST_LENGTH);
    return slot;
  }

  /** Second chance: the first slot, going round, that was not used since the hand came by. */
  private freedSlot(): number {
    for (;;) {
      const slot = this.hand;
      this.hand = (this.hand + 1) % this.capacity;
      if (this.used[slot] === 0) {
        this.slot_of[this.item_of[slot]] = 0;
        return slot;
      }
      this.used[slot] = 0;
    }
  }
}

/** The strongest entries of an accumulator: a min-heap in two arrays. Equal weights: the first that came. */
class Strongest {
  private readonly items: Int32Array;
  private readonly weights: Float64Array;
  private size = 0;

  constructor(private readonly length: number) {
    this.items = new Int32Array(length);
    this.weights = new Float64Array(length);
  }

  select(sums: Accumulator): void {
    this.size = 0;
    sums.forEach((item, weight) => {
      if (this.size < this.length) this.push(item, weight);
      else if (weight > this.weights[0]) this.replaceWeakest(item, weight);
    });
  }

  copyTo(targets: Int32Array, weights: Float32Array, start: number): number {
    for (let at = 0; at < this.size; at++) {
      targets[start + at] = this.items[at];
      weights[start + at] = this.weights[at];
    }
    return this.size;
  }

  private push(item: number, weight: number): void {
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.weights[parent] <= weight) break;
      this.items[at] = this.items[parent];
      this.weights[at] = this.weights[parent];
      at = parent;
    }
    this.items[at] = item;
    this.weights[at] = weight;
  }

  private replaceWeakest(item: number, weight: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.weights[child + 1] < this.weights[child]) child++;
      if (this.weights[child] >= weight) break;
      this.items[at] = this.items[child];
      this.weights[at] = this.weights[child];
      at = child;
    }
    this.items[at] = item;
    this.weights[at] = weight;
  }
}
