import { constants } from 'node:os';

/** Runs work that a signal interrupts, and ends the process. `undo` runs before the end. */
export async function untilSignal<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: 'SIGINT' | 'SIGTERM'): void => {
    undo();
    process.exit(128 + constants.signals[signal]);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
