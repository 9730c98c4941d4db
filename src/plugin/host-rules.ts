/** Checks of the arguments that plugins pass to the host. The service and the testing kit share them. */

/** @throws Error if the name, the period or the function is invalid */
export function checkRefresh(name: unknown, seconds: unknown, fn: unknown): void {
  if (typeof name !== 'string' || name === '') throw new Error('refresh needs a name');
  if (!(typeof seconds === 'number' && seconds > 0))
    throw new Error(`refresh '${name}' needs a number of seconds above 0`);
  if (typeof fn !== 'function') throw new Error(`refresh '${name}' needs a function`);
}

/**
 * Maps identifiers to values.
 *
 * The last value of an identifier wins. @throws Error if an identifier is not a string
 */
export function valuesById<T>(entries: Iterable<readonly [string, T]>): Map<string, T> {
  const values = new Map(entries);
  for (const id of values.keys()) if (typeof id !== 'string') throw new Error('identifiers must be texts');
  return values;
}
