/** Typed arrays that grow by a share of their length. */

export type NumericArray =
  | Int8Array
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** Bytes that one ArrayBuffer holds at most. */
export const BUFFER_BYTES_MAX = 2 ** 32;

/** Arrays double up to so many bytes; from there on they grow by a quarter. */
const DOUBLED_BYTES_MAX = 4 * 1024 * 1024;

/**
 * `array`, or one of at least `length` elements (new ones 0) into which it was moved: its memory is free at once
 * and not when garbage is next collected, and whoever still holds `array` holds an empty one. Amortised O(1)
 * an element.
 *
 * Room that is not used yet is not free of charge. The kernel gives pages when they are written, but memory that
 * was used before is cleared, which is writing; and garbage may pile up in proportion to all that is
 * allocated. Beside a reserve of 4 GiB it came to 1 GB, where without it was 50 MB.
 * @throws RangeError for more than `BUFFER_BYTES_MAX`; `array` is as it was then
 */
export function grown<T extends NumericArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const share = array.byteLength < DOUBLED_BYTES_MAX ? 1 : 0.25;
  const longest = BUFFER_BYTES_MAX / array.BYTES_PER_ELEMENT;
  const larger = Math.max(length, Math.min(longest, Math.ceil(array.length * (1 + share))));
  const make = array.constructor as new (buffer: ArrayBuffer) => T;
  return new make((array.buffer as ArrayBuffer).transfer(larger * array.BYTES_PER_ELEMENT));
}

/** Elements that parallel columns can have at most. */
export function arenaElementsMax(columns: readonly NumericArray[]): number {
  const widest = columns.reduce((bytes, column) => Math.max(bytes, column.BYTES_PER_ELEMENT), 1);
  return BUFFER_BYTES_MAX / widest;
}
