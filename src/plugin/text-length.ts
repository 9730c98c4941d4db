export interface LengthLimits {
  minLength?: number;
  maxLength?: number;
}

/** Whether the length of a text in characters is within bounds. An emoji is one character and two UTF-16 units. */
export function hasLength(
  text: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: LengthLimits,
): boolean {
  // A character has at most two units, so most texts need no count.
  if (text.length >= 2 * minLength && text.length <= maxLength) return true;
  if (text.length < minLength || text.length > 2 * maxLength) return false;
  let length = 0;
  for (const _ of text) length++;
  return length >= minLength && length <= maxLength;
}
