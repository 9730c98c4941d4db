import { NONE } from '../plugin/index.ts';

const PAGE_BITS = 12;
/** Keys per page: 16 KB. */
const PAGE_KEYS = 1 << PAGE_BITS;

/**
 * Maps keys to ordinals with an array in pages.
 *
 * Keys (below 2³¹, `LIMITS.keys_max`) only grow, so pages without any remaining key are freed. A freed page takes 16
 * bytes.
 */
export class KeyMap {
  /** ordinal + 1; 0 means unknown or forgotten. */
  private readonly pages: (Uint32Array | undefined)[] = [];
  /** The number of known keys per page. */
  private readonly known: number[] = [];

  /** NONE for a key that was never set or was deleted. O(1). */
  get(key: number): number {
    if (key < 0) return NONE;
    const page = this.pages[key >> PAGE_BITS];
    return page === undefined ? NONE : page[key & (PAGE_KEYS - 1)] - 1;
  }

  set(key: number, ordinal: number): void {
    const index = key >> PAGE_BITS;
    while (this.pages.length <= index) {
      this.pages.push(undefined);
      this.known.push(0);
    }
    this.pages[index] ??= new Uint32Array(PAGE_KEYS);
    const page = this.pages[index];
    page[key & (PAGE_KEYS - 1)] = ordinal + 1;
    this.known[index]++;
  }

  delete(key: number): void {
    const index = key >> PAGE_BITS;
    if (--this.known[index] === 0) this.pages[index] = undefined;
    else this.pages[index]![key & (PAGE_KEYS - 1)] = 0;
  }

  get size_bytes(): number {
    return this.pages.filter((page) => page !== undefined).length * PAGE_KEYS * 4;
  }
}
