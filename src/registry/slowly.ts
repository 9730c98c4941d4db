import type { Timers } from '../clock.ts';

/** A plugin that takes longer than this, and each time as long again, is told of. */
const SLOW_SECONDS = 10;

/** What `work` gives; meanwhile `tell` is called now and then, as it may never end. */
export async function slowly<T>(work: Promise<T>, timers: Timers, tell: () => void): Promise<T> {
  const wait = (): (() => void) =>
    timers.after(SLOW_SECONDS, () => {
      tell();
      cancel = wait();
    });
  let cancel = wait();
  try {
    return await work;
  } finally {
    cancel();
  }
}
