/**
 * Describes a value in an error text.
 *
 * Falls back to its type for values that cannot be converted, such as `Object.create(null)`.
 */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
