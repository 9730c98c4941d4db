import type { Timers } from '../../src/clock.ts';

/** Timers that fire only when the test advances the time. */
export class ManualTimers implements Timers {
  private now = 0;
  private readonly waiting = new Set<{ at: number; run: () => void }>();

  after(seconds: number, run: () => void): () => void {
    const timer = { at: this.now + seconds, run };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  }

  /** Elapsed time. */
  get passed_seconds(): number {
    return this.now;
  }

  /** Number of pending timers. */
  get count(): number {
    return this.waiting.size;
  }

  /** Advances the time, and waits for all due callbacks and their promises. */
  async pass(seconds: number): Promise<void> {
    const until = this.now + seconds;
    for (;;) {
      const due = [...this.waiting].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      const [first] = due;
      if (first === undefined) break;
      this.now = first.at;
      this.waiting.delete(first);
      first.run();
      await settled();
    }
    this.now = until;
  }
}

/** Waits until all resolved promises have run their callbacks. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
