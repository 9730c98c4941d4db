import { edenGC } from 'bun:jsc';

/** Requests whose garbage is collected at once: 20 to 40 MB, within 2 to 3 ms. */
const REQUESTS = 500;

export interface YoungGarbageOptions {
  /** Requests that have no answer yet. */
  underWay(): number;
  collect?: () => unknown;
  /** Runs something when the answers that are made have gone out. */
  later?: (run: () => void) => unknown;
}

/**
 * Collects young garbage when no request is under way. Left to itself, the engine does so by timers, in the midst of
 * a page as often as not, and with ten times as much garbage: 4 to 12 ms, once or twice a second, which every
 * request that comes then waits for. A service that is never without a request leaves it to the engine.
 */
export class YoungGarbage {
  private answers = 0;
  private planned = false;

  constructor(private readonly options: YoungGarbageOptions) {}

  /** An answer is made. */
  answered(): void {
    this.answers++;
    if (this.planned || !this.isTime()) return;
    this.planned = true;
    const { collect = edenGC, later = setImmediate } = this.options;
    later(() => {
      this.planned = false;
      if (!this.isTime()) return;
      this.answers = 0;
      collect();
    });
  }

  private isTime(): boolean {
    return this.answers >= REQUESTS && this.options.underWay() === 0;
  }
}
