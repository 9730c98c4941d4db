import { grown } from '../columns/growable.ts';

/** The most entries of a list of each kind. */
export const RELATED_LENGTH = 24;
export const LATER_LENGTH = 24;
const LENGTH = RELATED_LENGTH + LATER_LENGTH;
/** Weights are stored in this many steps. */
export const STEPS = 255;
/** A list that lost this many entries is filled again. A list is built anew less often if this is higher. */
const LOST_MAX = RELATED_LENGTH / 2;

/** The entries of a list, the related ones first, and their weights in steps. */
export interface ListEntries {
  entries: number[];
  steps: number[];
  related: number;
}

/**
 * For each slot of an embedding, two lists of slots with similar ones: `related` slots were indexed before it, and `later`
 * ones after it.
 *
 * An item that comes is added to the later lists of its related items. So an item that nobody has touched is found from
 * those that the viewer touched, although it is in no list that was built before. A full later list drops its oldest
 * entry.
 *
 * Each indexed slot has a number that grows with each one, so an entry of a slot that was reused since is recognised: it
 * has the wrong side of the list's own number.
 *
 * Slots that are removed, for example because many items were hidden at once, leave gaps where they pushed out others.
 * `hasGaps` tells which lists to search for again.
 */
export class MeaningLists {
  /** The number of each slot. 0 for a slot that is not indexed. */
  private order = new Uint32Array(0);
  private indexed = 0;
  /** The slots of a list, the related ones first, and their weights in steps. */
  private slots = new Int32Array(0);
  private weights = new Uint8Array(0);
  private related_count = new Uint8Array(0);
  private later_count = new Uint8Array(0);
  /** The number of entries that `remove` took out of each list since it was filled. */
  private lost = new Uint8Array(0);

  has(slot: number): boolean {
    return slot < this.order.length && this.order[slot] !== 0;
  }

  orderOf(slot: number): number {
    return slot < this.order.length ? this.order[slot] : 0;
  }

  /** Adds a slot that is similar to others. @param weights in (0, 1] */
  add(slot: number, related: readonly number[], weights: readonly number[]): void {
    this.begin(slot, this.indexed + 1);
    const start = slot * LENGTH;
    for (let at = 0; at < related.length && at < RELATED_LENGTH; at++) {
      const weight = Math.ceil(weights[at] * STEPS);
      this.slots[start + at] = related[at];
      this.weights[start + at] = weight;
      this.related_count[slot]++;
      this.addLater(related[at], slot, weight);
    }
  }

  /**
   * Fills the list of a slot again. Other lists do not change. O(slots).
   * @param similar indexed slots, most similar first
   */
  refill(slot: number, similar: readonly number[], weights: readonly number[]): void {
    const own = this.order[slot];
    const entries = similar.map((other, at) => ({ other, step: Math.ceil(weights[at] * STEPS) }));
    const related = entries.filter(({ other }) => this.order[other] < own).slice(0, RELATED_LENGTH);
    const later = entries.filter(({ other }) => this.order[other] > own).slice(0, LATER_LENGTH);
    later.sort((one, other) => this.order[one.other] - this.order[other.other]);
    const all = [...related, ...later];
    this.restore(slot, own, {
      entries: all.map(({ other }) => other),
      steps: all.map(({ step }) => step),
      related: related.length,
    });
  }

  /** Adds a stored slot with its number. Slots that are not indexed, or have a wrong number, are passed over later. */
  restore(slot: number, order: number, { entries: slots, steps, related }: ListEntries): void {
    this.begin(slot, order);
    const start = slot * LENGTH;
    for (const other of slots) this.makeRoom(other);
    for (let at = 0; at < slots.length; at++) {
      const place = at < related ? at : RELATED_LENGTH + at - related;
      this.slots[start + place] = slots[at];
      this.weights[start + place] = steps[at];
    }
    this.related_count[slot] = related;
    this.later_count[slot] = slots.length - related;
  }

  /** The current entries of a slot: the related ones, then the later ones, oldest first. */
  entriesOf(slot: number): ListEntries {
    const entries: number[] = [];
    const steps: number[] = [];
    let related = 0;
    this.visit(slot, (at, is_related) => {
      entries.push(this.slots[at]);
      steps.push(this.weights[at]);
      if (is_related) related++;
    });
    return { entries, steps, related };
  }

  /**
   * Writes the slots of a list to `targets` and their weights, times `scale`, to `amounts`.
   * @returns the number of entries, at most `RELATED_LENGTH` + `LATER_LENGTH`
   */
  read(slot: number, scale: number, targets: Int32Array, amounts: Float64Array): number {
    let count = 0;
    const { slots, weights } = this;
    this.visit(slot, (at) => {
      targets[count] = slots[at];
      amounts[count++] = (scale * weights[at]) / STEPS;
    });
    return count;
  }

  hide(slot: number): void {
    if (slot < this.order.length) this.order[slot] = 0;
  }

  /**
   * Removes a hidden slot from the lists that contain it.
   * @returns slots whose lists it was in, among others
   */
  remove(slot: number): readonly number[] {
    if (slot >= this.order.length) return [];
    const start = slot * LENGTH;
    const later = start + RELATED_LENGTH;
    const related = this.slots.subarray(start, start + this.related_count[slot]);
    const listed = [...related, ...this.slots.subarray(later, later + this.later_count[slot])];
    for (const other of related) this.removeLater(other, slot);
    this.related_count[slot] = 0;
    this.later_count[slot] = 0;
    return listed;
  }

  /** Whether the list of a slot lost so many entries that it must be filled again. O(list length). */
  hasGaps(slot: number): boolean {
    if (!this.has(slot)) return false;
    let current = 0;
    this.visit(slot, () => {
      current++;
    });
    const outdated = this.related_count[slot] + this.later_count[slot] - current;
    return outdated + this.lost[slot] >= LOST_MAX;
  }

  /** Visits the places of the valid entries of a list. */
  private visit(slot: number, see: (at: number, is_related: boolean) => void): void {
    const { order, slots } = this;
    const own = this.orderOf(slot);
    if (own === 0) return;
    const start = slot * LENGTH;
    for (let at = start; at < start + this.related_count[slot]; at++) {
      const other = order[slots[at]];
      if (other !== 0 && other < own) see(at, true);
    }
    const later = start + RELATED_LENGTH;
    for (let at = later; at < later + this.later_count[slot]; at++)
      if (order[slots[at]] > own) see(at, false);
  }

  private begin(slot: number, order: number): void {
    this.makeRoom(slot);
    this.order[slot] = order;
    this.indexed = Math.max(this.indexed, order);
    this.related_count[slot] = 0;
    this.later_count[slot] = 0;
    this.lost[slot] = 0;
  }

  private addLater(slot: number, later: number, weight: number): void {
    const start = slot * LENGTH + RELATED_LENGTH;
    let count = this.later_count[slot];
    if (count === LATER_LENGTH) {
      this.slots.copyWithin(start, start + 1, start + count);
      this.weights.copyWithin(start, start + 1, start + count);
      count--;
    }
    this.slots[start + count] = later;
    this.weights[start + count] = weight;
    this.later_count[slot] = count + 1;
  }

  private removeLater(slot: number, later: number): void {
    const start = slot * LENGTH + RELATED_LENGTH;
    const end = start + this.later_count[slot];
    const found = this.slots.subarray(start, end).indexOf(later);
    if (found < 0) return;
    this.slots.copyWithin(start + found, start + found + 1, end);
    this.weights.copyWithin(start + found, start + found + 1, end);
    this.later_count[slot]--;
    this.lost[slot] = Math.min(this.lost[slot] + 1, LOST_MAX);
  }

  private makeRoom(slot: number): void {
    const end = (slot + 1) * LENGTH;
    if (end <= this.slots.length) return;
    // The largest array sets the pace: smaller ones double for longer.
    this.slots = grown(this.slots, end);
    this.weights = grown(this.weights, this.slots.length);
    const length = Math.ceil(this.slots.length / LENGTH);
    this.order = grown(this.order, length);
    this.related_count = grown(this.related_count, length);
    this.later_count = grown(this.later_count, length);
    this.lost = grown(this.lost, length);
  }
}
