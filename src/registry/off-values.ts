/** Filter values that mean "not given". They also switch off the filter of a saved feed. */
export const OFF_TEXTS: readonly string[] = ['', 'none'];

/** Whether a value means "not given". */
export function isOff(value: unknown): boolean {
  if (typeof value === 'string') return OFF_TEXTS.includes(value);
  return value === null || (Array.isArray(value) && value.length === 0);
}
