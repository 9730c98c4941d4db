import type { Timers } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';

interface Waiting {
  seconds: number;
  run(): void;
}

/** Timers with which a test triggers the retirement of items and purges, and waits for their end. */
export class Rounds implements Timers {
  private waiting: Waiting[] = [];
  private readonly listeners = new Set<(set: Waiting) => void>();

  after(seconds: number, run: () => void): () => void {
    const set = { seconds, run };
    this.waiting.push(set);
    for (const listener of this.listeners) listener(set);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== set);
    };
  }

  /** Starts a round of retiring items, and resolves when it has ended. */
  retire(): Promise<void> {
    return this.again(LIMITS.retention_every_seconds);
  }

  /** The same for a purge of retired items. */
  purge(): Promise<void> {
    return this.again(LIMITS.purge_every_seconds);
  }

  private async again(seconds: number): Promise<void> {
    const due = this.waiting.find((set) => set.seconds === seconds) ?? (await this.set(seconds));
    this.waiting = this.waiting.filter((other) => other !== due);
    const ended = this.set(seconds);
    due.run();
    await ended;
  }

  /** Resolves when a timer of this duration is set, so the previous round has ended. */
  private set(seconds: number): Promise<Waiting> {
    return new Promise((resolve) => {
      const listener = (set: Waiting): void => {
        if (set.seconds !== seconds) return;
        this.listeners.delete(listener);
        resolve(set);
      };
      this.listeners.add(listener);
    });
  }
}
