import { grown } from '../columns/growable.ts';
import { NONE } from '../plugin/index.ts';

/**
 * Slots with nearly the same embedding as an indexed one, their original.
 *
 * The copies of an original are a linked list, so that adding and removing one are O(1) however many there are. Numbers
 * in the columns are slots + 1, and 0 stands for none.
 */
export class NearCopies {
  size = 0;
  /** The original of each copy. */
  private original = new Int32Array(0);
  /** The newest copy of each original. */
  private newest = new Int32Array(0);
  /** The copies of the same original that came just before and just after each copy. */
  private older = new Int32Array(0);
  private newer = new Int32Array(0);

  /** The original of a slot. NONE if the slot is no copy. */
  originalOf(slot: number): number {
    return slot < this.original.length ? this.original[slot] - 1 : NONE;
  }

  /** Adds a slot, which is no copy yet, as the newest copy of an original. */
  add(slot: number, original: number): void {
    const length = Math.max(slot, original) + 1;
    this.original = grown(this.original, length);
    this.newest = grown(this.newest, length);
    this.older = grown(this.older, length);
    this.newer = grown(this.newer, length);
    const before = this.newest[original];
    this.original[slot] = original + 1;
    this.older[slot] = before;
    this.newer[slot] = 0;
    if (before > 0) this.newer[before - 1] = slot + 1;
    this.newest[original] = slot + 1;
    this.size++;
  }

  /** Makes a slot no copy. Has no effect on other slots. */
  remove(slot: number): void {
    const original = this.originalOf(slot);
    if (original === NONE) return;
    const [older, newer] = [this.older[slot], this.newer[slot]];
    if (newer > 0) this.older[newer - 1] = older;
    else this.newest[original] = older;
    if (older > 0) this.newer[older - 1] = newer;
    this.original[slot] = 0;
    this.size--;
  }

  /** Visits the copies of an original, newest first. The copy that is visited may be removed meanwhile. */
  *of(original: number): Generator<number> {
    for (let copy = original < this.newest.length ? this.newest[original] : 0; copy > 0; ) {
      const slot = copy - 1;
      copy = this.older[slot];
      yield slot;
    }
  }
}
