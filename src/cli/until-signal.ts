import { constants } from 'node:os';

/** Does something that a signal ends at once, and with it the process; `undo` is done before. */
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
