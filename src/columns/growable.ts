/** Typed arrays that grow in proportion to their length. */

export type NumericArray =
  | Int8Array
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** The maximum size of an ArrayBuffer in bytes. */
export const BUFFER_BYTES_MAX = 2 ** 32;

/** Arrays double up to this size in bytes. Larger ones grow by a quarter. */
const DOUBLED_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Returns `array`, or moves it into an array of at least `length` elements (new ones 0). Amortised O(1) an element.
 *
 * Moving frees the old memory at once, without waiting for garbage collection. Afterwards `array` itself is empty.
 *
 * Unused space has a cost. The kernel provides pages on the first write, but reused memory must be cleared, which is a
 * write. Garbage also may grow in proportion to all allocated memory: beside a reserve of 4 GiB it reached 1 GB, and
 * without the reserve 50 MB.
 * @throws RangeError above `BUFFER_BYTES_MAX`; `array` is unchanged then
 */
export function grown<T extends NumericArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const share = array.byteLength < DOUBLED_BYTES_MAX ? 1 : 0.25;
  const longest = BUFFER_BYTES_MAX / array.BYTES_PER_ELEMENT;
  const larger = Math.max(length, Math.min(longest, Math.ceil(array.length * (1 + share))));
  const make = array.constructor as new (buffer: ArrayBuffer) => T;
  return new make((array.buffer as ArrayBuffer).transfer(larger * array.BYTES_PER_ELEMENT));
}

/** The maximum number of elements of parallel columns. */
export function arenaElementsMax(columns: readonly NumericArray[]): number {
  const widest = columns.reduce((bytes, column) => Math.max(bytes, column.BYTES_PER_ELEMENT), 1);
  return BUFFER_BYTES_MAX / widest;
}
