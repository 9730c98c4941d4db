import type { Timers } from '../clock.ts';

/** The interval of warnings about a slow plugin. */
const SLOW_SECONDS = 10;

/** Awaits `work`, which may never end. Calls `warn` at intervals meanwhile. */
export async function slowly<T>(work: Promise<T>, timers: Timers, warn: () => void): Promise<T> {
  const wait = (): (() => void) =>
    timers.after(SLOW_SECONDS, () => {
      warn();
      cancel = wait();
    });
  let cancel = wait();
  try {
    return await work;
  } finally {
    cancel();
  }
}
