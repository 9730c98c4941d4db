import { LIMITS } from '../limits.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** Slots of embeddings whose items may not be shown: hidden ones, those of hidden authors, and those dated ahead. */
export class WithheldSlots {
  private readonly slots = new Set<number>();
  /** The creation times of items that are dated ahead, by slot. */
  private readonly ahead = new Map<number, number>();
  /** The earliest of these times. Infinity without any. */
  private next_at = Number.POSITIVE_INFINITY;

  constructor(private readonly state: State) {}

  get size(): number {
    return this.slots.size;
  }

  has(slot: number): boolean {
    return this.slots.has(slot);
  }

  /** Whether any feed may show an item, as far as its visibility and its time are concerned. */
  isShown(item: Ordinal): boolean {
    const { items } = this.state;
    return this.state.live(item) && items.created_at(item) <= this.until;
  }

  /** Must be called when the item in a slot, its visibility or its time changed. */
  update(slot: number): void {
    const { embeddings, items } = this.state;
    const item = embeddings.itemIn(slot);
    this.slots.delete(slot);
    this.ahead.delete(slot);
    if (item === NONE || this.isShown(item)) return;
    this.slots.add(slot);
    const created_at = items.created_at(item);
    if (created_at <= this.until) return;
    this.ahead.set(slot, created_at);
    this.next_at = Math.min(this.next_at, created_at);
  }

  /** Removes the slots of items that were dated ahead and are not any more. O(1) while there are none. */
  takeDue(): number[] {
    const { ahead, until } = this;
    if (this.next_at > until) return [];
    const due = [...ahead.keys()].filter((slot) => (ahead.get(slot) ?? 0) <= until);
    for (const slot of due) ahead.delete(slot);
    this.next_at = [...ahead.values()].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return due;
  }

  /** Items created after this time are dated ahead. */
  private get until(): number {
    return this.state.applied_at + LIMITS.future_tolerance_seconds;
  }
}
