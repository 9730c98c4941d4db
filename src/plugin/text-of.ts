/** A value in words, for whoever wrote what gave it. Of one that has no text, such as an object without a prototype, its kind. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
