import type { Timers } from '../../src/clock.ts';

/** Timers that wait until told that time has passed. */
export class ManualTimers implements Timers {
  private now = 0;
  private readonly waiting = new Set<{ at: number; run: () => void }>();

  after(seconds: number, run: () => void): () => void {
    const timer = { at: this.now + seconds, run };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  }

  /** How much time has passed. */
  get passed_seconds(): number {
    return this.now;
  }

  /** Timers that are set. */
  get count(): number {
    return this.waiting.size;
  }

  /** Lets time pass and everything that was due end, promises included. */
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

/** After everything that needs no more than promises to go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
