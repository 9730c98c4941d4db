/** What every host asks of what `setup` hands it: the service's and the testing kit's. */

/** @throws Error for a name, a period or a function that is none */
export function checkRefresh(name: unknown, seconds: unknown, fn: unknown): void {
  if (typeof name !== 'string' || name === '') throw new Error('refresh needs a name');
  if (!(typeof seconds === 'number' && seconds > 0))
    throw new Error(`refresh '${name}' needs a number of seconds above 0`);
  if (typeof fn !== 'function') throw new Error(`refresh '${name}' needs a function`);
}

/** Values by identifier; of those given twice the last counts. @throws Error for what is no identifier */
export function valuesById<T>(entries: Iterable<readonly [string, T]>): Map<string, T> {
  const values = new Map(entries);
  for (const id of values.keys()) if (typeof id !== 'string') throw new Error('identifiers must be texts');
  return values;
}
