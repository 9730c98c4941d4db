import { edenGC } from 'bun:jsc';

/** What a request leaves behind, bytes, estimated, … */
const OF_REQUEST = 60_000;
/** … and each byte of a large body: its text, the records in it, and what is made of them. */
const OF_BODY_BYTE = 10;
/** What is collected at once, within 2 to 3 ms. */
const ENOUGH = 30_000_000;

export interface YoungGarbageOptions {
  /** Requests that wait for an answer and not for a large body to be worked off. */
  waiting(): number;
  collect?: () => unknown;
  /** Runs something when the answers that are made have gone out. */
  later?: (run: () => void) => unknown;
}

/**
 * Collects young garbage when nobody waits for an answer. Left to itself, the engine does so by timers, in the midst of
 * a page as often as not, and with ten times as much garbage: 4 to 12 ms, once or twice a second, which every
 * request that comes then waits for. A service that is never without a request leaves it to the engine.
 */
export class YoungGarbage {
  private bytes = 0;
  private planned = false;

  constructor(private readonly options: YoungGarbageOptions) {}

  /** An answer is made. @param body_bytes of its request */
  answered(body_bytes: number): void {
    this.bytes += OF_REQUEST + OF_BODY_BYTE * body_bytes;
    if (this.planned || !this.isTime()) return;
    this.planned = true;
    const { collect = edenGC, later = setImmediate } = this.options;
    later(() => {
      this.planned = false;
      if (!this.isTime()) return;
      this.bytes = 0;
      collect();
    });
  }

  private isTime(): boolean {
    return this.bytes >= ENOUGH && this.options.waiting() === 0;
  }
}
