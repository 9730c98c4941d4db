import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in slices of at most some milliseconds. It yields between two slices, and returns its result. */
export type Sliced<T> = Generator<undefined, T>;

/** Does the work with a turn of the event loop between slices, in which other requests are served. */
export async function inTurns<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}

export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
