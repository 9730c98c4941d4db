import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** A list is rebuilt if more than this share of its item's users was added or removed. */
const CHANGED_SHARE = 1 / 8;
/**
 * A list is rebuilt after as many changes of interactions as this share of all interactions. Many of its users' other
 * acts are new by then. So each list is rebuilt a few times while a community doubles, however fast it grows.
 */
const CHANGED_SHARE_OF_ALL = 1 / 8;
/** A list is rebuilt when it is requested after this time, since its users' other acts change it, too. */
const VALID_SECONDS = 600;
/** A list lasts longer by this share of the time for which its item was idle when the list was built. */
const IDLE_SHARE = 1 / 16;

/** Index of a list's item. All numbers of a list are read at once, so they are adjacent. */
const ITEM = 0;
/** Index of the second until which the list is valid. */
const VALID_UNTIL = 1;
/** Index of the number of entries of the item when the list was built. */
const ENTRIES_THEN = 2;
/** Index of the mark for lists that were used since the clock hand passed. */
const USED = 3;
/** Index of `State.interaction_changes` when the list was built, modulo 2^32. */
const CHANGES_THEN = 4;
const FIELDS = 5;

/** The weights of the list are as built. */
const AS_BUILT = 0;
/** The weights were corrected while some neighbours had no list yet. */
const CORRECTED_EARLY = 1;
/** The weights were corrected by all neighbours' lists. */
const CORRECTED = 2;

/** The number of words that `pack` writes. */
export const PACKED_SLOT_WORDS = 4;

/** Maps items to at most `capacity` list slots, and evicts the least recently used lists. */
export class ListSlots {
  /** Slot of each item + 1; 0 without a list. */
  private slot_of = new Uint32Array(1024);
  private fields = new Uint32Array(256 * FIELDS);
  private built_seq = new Float64Array(256);
  private correction = new Uint8Array(256);
  count = 0;
  private readonly free: number[] = [];
  private hand = 0;

  constructor(
    private readonly state: State,
    private readonly capacity: number,
  ) {}

  get size(): number {
    return this.count - this.free.length;
  }

  get is_full(): boolean {
    return this.size >= this.capacity;
  }

  of(item: Ordinal): number {
    return item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
  }

  builtAt(slot: number): number {
    return this.built_seq[slot];
  }

  isUncorrected(slot: number): boolean {
    return this.correction[slot] === AS_BUILT;
  }

  isCorrected(slot: number): boolean {
    return this.correction[slot] === CORRECTED;
  }

  noteCorrected(slot: number, early = false): void {
    this.correction[slot] = early ? CORRECTED_EARLY : CORRECTED;
  }

  itemIn(slot: number): Ordinal {
    const item = this.fields[slot * FIELDS + ITEM];
    return this.of(item) === slot ? item : NONE;
  }

  /** Whether the list of a slot is recent enough. Marks a valid list as used. */
  isValid(slot: number): boolean {
    const at = slot * FIELDS;
    if (this.state.applied_at > this.fields[at + VALID_UNTIL] || this.isOutdated(slot)) return false;
    this.fields[at + USED] = 1;
    return true;
  }

  /** Whether so many interactions changed since the list of a slot was built that it should be rebuilt. */
  isOutdated(slot: number): boolean {
    const at = slot * FIELDS;
    const { by_item } = this.state.interactions;
    const entries = by_item.standing(this.fields[at + ITEM]);
    const then = this.fields[at + ENTRIES_THEN];
    if (Math.abs(entries - then) > CHANGED_SHARE * Math.max(entries, then)) return true;
    return this.changesSince(slot) > CHANGED_SHARE_OF_ALL * by_item.size;
  }

  /** The slot for a new list of an item: its own, a free one, or an evicted one. */
  take(item: Ordinal): number {
    this.slot_of = grown(this.slot_of, item + 1);
    const own = this.slot_of[item] - 1;
    const slot = own === NONE ? this.newSlot(item) : own;
    const { applied_at, interactions, seq } = this.state;
    const log = interactions.by_item;
    const users = log.standing(item);
    const quiet_seconds = users > 0 ? Math.max(0, applied_at - log.seconds(log.oldest(item, 1))) : 0;
    const at = slot * FIELDS;
    this.fields[at + VALID_UNTIL] = applied_at + VALID_SECONDS + IDLE_SHARE * quiet_seconds;
    this.fields[at + ENTRIES_THEN] = users;
    this.fields[at + CHANGES_THEN] = this.state.interaction_changes;
    this.built_seq[slot] = seq;
    this.correction[slot] = AS_BUILT;
    return slot;
  }

  /** Copies what decides about the validity of a slot's list to `words`, from `at` on. */
  pack(slot: number, words: Int32Array, at: number): void {
    words[at] = this.fields[slot * FIELDS + VALID_UNTIL];
    words[at + 1] = this.fields[slot * FIELDS + ENTRIES_THEN];
    words[at + 2] = this.correction[slot];
    words[at + 3] = this.changesSince(slot);
  }

  /**
   * Takes a slot for a packed list. It is as valid as it was, and counts as built now.
   * @param missed the number of interactions that changed since it was packed
   */
  unpack(item: Ordinal, words: Int32Array, at: number, missed: number): number {
    const slot = this.take(item);
    this.fields[slot * FIELDS + VALID_UNTIL] = words[at];
    this.fields[slot * FIELDS + ENTRIES_THEN] = words[at + 1];
    this.correction[slot] = words[at + 2];
    this.fields[slot * FIELDS + CHANGES_THEN] = this.state.interaction_changes - words[at + 3] - missed;
    return slot;
  }

  remove(item: Ordinal): void {
    const slot = this.of(item);
    if (slot === NONE) return;
    this.slot_of[item] = 0;
    this.free.push(slot);
  }

  removeAll(): void {
    for (let slot = 0; slot < this.count; slot++) this.remove(this.fields[slot * FIELDS + ITEM]);
  }

  /** The number of interactions that were added or removed since the list of a slot was built. */
  private changesSince(slot: number): number {
    return (this.state.interaction_changes - this.fields[slot * FIELDS + CHANGES_THEN]) >>> 0;
  }

  private newSlot(item: Ordinal): number {
    const slot = this.free.pop() ?? (this.count < this.capacity ? this.addSlot() : this.unusedSlot());
    this.slot_of[item] = slot + 1;
    this.fields[slot * FIELDS + ITEM] = item;
    this.fields[slot * FIELDS + USED] = 1;
    return slot;
  }

  private addSlot(): number {
    const slot = this.count++;
    this.fields = grown(this.fields, this.count * FIELDS);
    this.built_seq = grown(this.built_seq, this.count);
    this.correction = grown(this.correction, this.count);
    return slot;
  }

  /** Second-chance eviction: the first slot that was not used since the clock hand passed. */
  private unusedSlot(): number {
    for (;;) {
      const slot = this.hand;
      this.hand = (this.hand + 1) % this.capacity;
      if (this.fields[slot * FIELDS + USED] === 0) {
        this.slot_of[this.fields[slot * FIELDS + ITEM]] = 0;
        return slot;
      }
      this.fields[slot * FIELDS + USED] = 0;
    }
  }
}
