import { type Key, NONE } from './change.ts';

const PAGE_BITS = 12;
/** Keys of a page: 16 KB. */
const PAGE_KEYS = 1 << PAGE_BITS;

/**
 * Key → ordinal as an array in pages. Keys (below 2³¹, `LIMITS.keys_max`) only ever grow, so pages whose keys have all
 * been forgotten go: what is left of each is 16 bytes.
 */
export class KeyMap {
  /** ordinal + 1; 0 is unknown or forgotten. */
  private readonly pages: (Uint32Array | undefined)[] = [];
  /** Known keys of each page. */
  private readonly known: number[] = [];

  /** NONE for a key that was never set or has been deleted. O(1). */
  get(key: Key): number {
    if (key < 0) return NONE;
    const page = this.pages[key >> PAGE_BITS];
    return page === undefined ? NONE : page[key & (PAGE_KEYS - 1)] - 1;
  }

  /** Sets a key that is not known. */
  set(key: Key, ordinal: number): void {
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

  /** Deletes a key that is known. */
  delete(key: Key): void {
    const index = key >> PAGE_BITS;
    if (--this.known[index] === 0) this.pages[index] = undefined;
    else this.pages[index]![key & (PAGE_KEYS - 1)] = 0;
  }

  /** Bytes of the pages that are there. */
  get size_bytes(): number {
    return this.pages.filter((page) => page !== undefined).length * PAGE_KEYS * 4;
  }
}
