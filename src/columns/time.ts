/**
 * Times in columns: whole seconds in 32 bits, and milliseconds in the low 10 bits of a 16-bit column.
 *
 * That takes 6 bytes, a float 8. All times are rounded to milliseconds before they are stored or compared.
 */
const MS_BITS = 10;
export const MS_MASK = (1 << MS_BITS) - 1;

export function roundToMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** The whole seconds of a time, after it was rounded to milliseconds. */
export function secondsPart(time: number): number {
  return Math.floor(Math.round(time * 1000) / 1000);
}

/** The milliseconds of that time beyond the whole seconds, 0 to 999. */
export function msPart(time: number): number {
  // The remainder operator on doubles would call the C library.
  return Math.round(time * 1000) - 1000 * secondsPart(time);
}

/** The time of two columns, equal to the rounded time that was stored. */
export function joinTime(seconds: number, low_bits: number): number {
  return (seconds * 1000 + (low_bits & MS_MASK)) / 1000;
}
