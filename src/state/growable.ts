/**
 * Typed arrays that grow by doubling. A column that starts at its final size never copies: buffers are
 * committed by the kernel page by page, so a large reserve costs nothing until it is used.
 */

export type NumericArray =
  | Int8Array
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** `array`, or a copy of at least `length` elements (doubled, new ones 0). Amortised O(1) an element. */
export function grown<T extends NumericArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * Sizes of the regions that slabs and tables hand out: 2, 3, 4, 6, 8, 12, 16, … Each is at most 1.5 times
 * the one before, so a growing list wastes a third at most.
 */
export function classCapacity(size_class: number): number {
  const half = size_class >> 1;
  return size_class & 1 ? 3 << half : 2 << half;
}

/** The smallest class whose capacity is at least `length`. */
export function classFor(length: number): number {
  let size_class = 0;
  while (classCapacity(size_class) < length) size_class++;
  return size_class;
}

/**
 * Hands out regions of an arena by size class and takes them back. Deterministic: the same calls give the
 * same regions. The arena itself belongs to the caller, who grows it to `top`.
 */
export class RegionAllocator {
  /** Elements in use or free below this: the arena must be at least this long. */
  top = 0;
  private readonly free: number[][] = [];

  take(size_class: number): number {
    const reused = this.free[size_class]?.pop();
    if (reused !== undefined) return reused;
    const start = this.top;
    this.top += classCapacity(size_class);
    return start;
  }

  give(start: number, size_class: number): void {
    while (this.free.length <= size_class) this.free.push([]);
    this.free[size_class].push(start);
  }
}
