import { NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';

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

/** What has been done with the weights of a list: nothing, … */
const BLUNT = 0;
/** … sharpened by some of its neighbours' lists, as others were still to come, … */
const EARLY = 1;
/** … or by all that there are. */
const SHARP = 2;

/** Which item has its list in which slot, of `capacity` at most, and since when: the longest unused is given up first. */
export class ListSlots {
  /** Slot of each item + 1; 0: no list. */
  private slot_of = new Uint32Array(1024);
  private facts = new Uint32Array(256 * FACTS);
  private built_seq = new Float64Array(256);
  private sharpness = new Uint8Array(256);
  /** Slots that have been in use. */
  count = 0;
  /** Those of lists that were given up. */
  private readonly free: number[] = [];
  private hand = 0;

  constructor(
    private readonly state: State,
    private readonly capacity: number,
  ) {}

  /** Lists that are kept. */
  get size(): number {
    return this.count - this.free.length;
  }

  get is_full(): boolean {
    return this.size >= this.capacity;
  }

  /** The slot of an item's list, NONE when it has none. */
  of(item: Ordinal): number {
    return item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
  }

  /** The `seq` at which the list of a slot was built. */
  builtAt(slot: number): number {
    return this.built_seq[slot];
  }

  isBlunt(slot: number): boolean {
    return this.sharpness[slot] === BLUNT;
  }

  isSharp(slot: number): boolean {
    return this.sharpness[slot] === SHARP;
  }

  /** @param early lists of its neighbours are still to come */
  noteSharpened(slot: number, early = false): void {
    this.sharpness[slot] = early ? EARLY : SHARP;
  }

  /** The item whose list is in a slot; NONE when it was given up. */
  itemIn(slot: number): Ordinal {
    const item = this.facts[slot * FACTS + ITEM];
    return this.of(item) === slot ? item : NONE;
  }

  /** Whether the list of a slot is recent enough; then it has been asked for. */
  serves(slot: number): boolean {
    const at = slot * FACTS;
    if (this.state.applied_at > this.facts[at + SERVES_UNTIL]) return false;
    const entries = this.state.interactions.by_item.standing(this.facts[at + ITEM]);
    const then = this.facts[at + ENTRIES_THEN];
    if (Math.abs(entries - then) > CHANGED_SHARE * Math.max(entries, then)) return false;
    this.facts[at + USED] = 1;
    return true;
  }

  /** The slot for an item's list, which is built now: its own, a free one or that of another. */
  take(item: Ordinal): number {
    this.slot_of = grown(this.slot_of, item + 1);
    const own = this.slot_of[item] - 1;
    const slot = own === NONE ? this.newSlot(item) : own;
    const { applied_at, interactions, seq } = this.state;
    const log = interactions.by_item;
    const users = log.standing(item);
    const quiet_seconds = users > 0 ? Math.max(0, applied_at - log.seconds(log.oldest(item, 1))) : 0;
    const at = slot * FACTS;
    this.facts[at + SERVES_UNTIL] = applied_at + KEPT_SECONDS + KEPT_SHARE * quiet_seconds;
    this.facts[at + ENTRIES_THEN] = users;
    this.built_seq[slot] = seq;
    this.sharpness[slot] = BLUNT;
    return slot;
  }

  giveUp(item: Ordinal): void {
    const slot = this.of(item);
    if (slot === NONE) return;
    this.slot_of[item] = 0;
    this.free.push(slot);
  }

  giveUpAll(): void {
    for (let slot = 0; slot < this.count; slot++) this.giveUp(this.facts[slot * FACTS + ITEM]);
  }

  private newSlot(item: Ordinal): number {
    const slot = this.free.pop() ?? (this.count < this.capacity ? this.addSlot() : this.unusedSlot());
    this.slot_of[item] = slot + 1;
    this.facts[slot * FACTS + ITEM] = item;
    this.facts[slot * FACTS + USED] = 1;
    return slot;
  }

  private addSlot(): number {
    const slot = this.count++;
    this.facts = grown(this.facts, this.count * FACTS);
    this.built_seq = grown(this.built_seq, this.count);
    this.sharpness = grown(this.sharpness, this.count);
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
}
