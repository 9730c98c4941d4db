import { constants } from 'node:os';
import { monotonicMs, systemTimers } from '../clock.ts';

/** Minimum time between a signal and the next one that counts, milliseconds. */
const IMPATIENT_AFTER_MS = 1_000;

/**
 * SIGTERM and SIGINT to this process. The first one stops it. The next one ends the drain; if there is none, it ends the
 * process immediately.
 *
 * One key press may arrive twice: the terminal signals all its processes, and a parent process may pass the signal on.
 * So a signal counts only if it arrives at least a second after the last one that counted.
 */
export class StopSignals {
  private readonly controller = new AbortController();
  private counted_ms = 0;
  private endDrain: (() => void) | undefined;

  /** @param endNow ends the process immediately */
  constructor(private readonly endNow: (exit_code: number) => void) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.hear(signal));
  }

  /** Aborted at the first signal, whose name is the message of the reason. */
  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  /** Resolves after some seconds, or at the next signal. */
  async drain(seconds: number): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const cancel = systemTimers.after(seconds, resolve);
    this.endDrain = resolve;
    await over;
    this.endDrain = undefined;
    cancel();
  }

  private hear(signal: 'SIGTERM' | 'SIGINT'): void {
    const is_first = !this.stopping.aborted;
    if (!is_first && monotonicMs() - this.counted_ms < IMPATIENT_AFTER_MS) return;
    this.counted_ms = monotonicMs();
    if (is_first) this.controller.abort(new Error(signal));
    else if (this.endDrain !== undefined) this.endDrain();
    else this.endNow(128 + constants.signals[signal]);
  }
}
