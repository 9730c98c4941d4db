/** Texts that mean "not given" as the value of a filter, or switch a saved one off. */
export const OFF_TEXTS: readonly string[] = ['', 'none'];

/** Values that mean the same. */
export function isOff(value: unknown): boolean {
  if (typeof value === 'string') return OFF_TEXTS.includes(value);
  return value === null || (Array.isArray(value) && value.length === 0);
}
