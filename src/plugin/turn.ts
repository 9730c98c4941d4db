import { setImmediate } from 'node:timers/promises';

/** Resolves when requests and timers that wait were served. Long work awaits it between two parts of a millisecond or so. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
