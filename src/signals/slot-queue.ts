import { NONE } from '../plugin/index.ts';

/** A first-in, first-out queue of slots, which has each at most once. O(1). */
export class SlotQueue {
  /** The ones before `next` were taken. */
  private slots: number[] = [];
  private next = 0;
  private readonly queued = new Set<number>();
  /** How many of the slots that were queued at `begin` are left. */
  private unbegun = 0;

  /** Whether slots that were queued at `begin` were not taken yet. */
  get is_beginning(): boolean {
    return this.unbegun > 0;
  }

  begin(): void {
    this.unbegun = this.queued.size;
  }

  add(slot: number): void {
    if (this.queued.has(slot)) return;
    this.queued.add(slot);
    this.slots.push(slot);
  }

  /** Removes the first slot. @returns NONE if there is none */
  take(): number {
    if (this.next === this.slots.length) return NONE;
    const slot = this.slots[this.next++];
    this.queued.delete(slot);
    if (this.unbegun > 0) this.unbegun--;
    if (2 * this.next >= this.slots.length) {
      this.slots = this.slots.slice(this.next);
      this.next = 0;
    }
    return slot;
  }
}
