import { edenGC, fullGC } from 'bun:jsc';

/** Estimated garbage of one request, bytes. */
const OF_REQUEST = 60_000;
/** Estimated garbage per byte of a large body: its text, the records in it, and their changes. */
const OF_BODY_BYTE = 10;
/** Amount of garbage that starts a collection, bytes. It takes 2 to 3 ms. */
const ENOUGH = 30_000_000;

/** A full collection starts when the heap has grown by this share over its minimum, … */
const OLD_SHARE = 1 / 16;
/** … and by this many bytes. */
const OLD_BYTES = 4_000_000;

export interface GarbageOptions {
  /** Number of requests that wait for an answer, without those whose large body is still being processed. */
  waiting(): number;
  /** @returns bytes left on the heap */
  collectYoung?: () => number;
  /** @returns bytes left on the heap */
  collectAll?: () => number;
  /** Runs a function after the finished answers were sent. */
  later?: (run: () => void) => unknown;
}

/**
 * Collects garbage while no request waits.
 *
 * By default the engine collects by timers, often in the middle of a page and with ten times as much garbage. Such a
 * collection takes 4 to 12 ms, once or twice a second, and delays every request that arrives meanwhile. The young
 * generation is collected each time. A full collection runs when old garbage has become a sixteenth of the heap: it
 * takes 34 to 81 ms with 200,000 items. Without it, a heap of 124 MB grew to 197 MB within minutes. While requests
 * never pause, the engine collects by itself.
 */
export class Garbage {
  private bytes = 0;
  private planned = false;
  /** Smallest heap since the last full collection, bytes. A single figure may include memory that is in use. */
  private least = 0;
  private much_is_old = false;

  constructor(private readonly options: GarbageOptions) {}

  /** Notes that an answer is ready. @param body_bytes size of the request's body */
  answered(body_bytes: number): void {
    this.bytes += OF_REQUEST + OF_BODY_BYTE * body_bytes;
    if (this.planned || !this.isTime()) return;
    this.planned = true;
    const { later = setImmediate } = this.options;
    later(() => {
      this.planned = false;
      if (this.isTime()) this.collect();
    });
  }

  private isTime(): boolean {
    return this.bytes >= ENOUGH && this.options.waiting() === 0;
  }

  private collect(): void {
    const { collectYoung = edenGC, collectAll = fullGC } = this.options;
    this.bytes = 0;
    if (this.much_is_old) {
      this.least = collectAll();
      this.much_is_old = false;
    } else {
      const left = collectYoung();
      this.much_is_old = left > (1 + OLD_SHARE) * this.least + OLD_BYTES;
      this.least = Math.min(this.least, left);
    }
  }
}
