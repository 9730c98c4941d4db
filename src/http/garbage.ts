import { edenGC, fullGC } from 'bun:jsc';

/** What a request leaves behind, bytes, estimated, … */
const OF_REQUEST = 60_000;
/** … and each byte of a large body: its text, the records in it, and what is made of them. */
const OF_BODY_BYTE = 10;
/** What is collected at once, within 2 to 3 ms. */
const ENOUGH = 30_000_000;

/** So much more may be left after a collection of young garbage than was left at least: a share of that, … */
const OLD_SHARE = 1 / 16;
/** … and bytes. */
const OLD_BYTES = 4_000_000;

export interface GarbageOptions {
  /** Requests that wait for an answer and not for a large body to be worked off. */
  waiting(): number;
  /** @returns bytes that are left on the heap */
  collectYoung?: () => number;
  /** @returns bytes that are left on the heap */
  collectAll?: () => number;
  /** Runs something when the answers that are made have gone out. */
  later?: (run: () => void) => unknown;
}

/**
 * Collects garbage when nobody waits for an answer. Left to itself, the engine does so by timers, in the midst of
 * a page as often as not, and with ten times as much garbage: 4 to 12 ms, once or twice a second, which every
 * request that comes then waits for. Young garbage is collected each time; what outlived that and died later is
 * collected with it when it has become a sixteenth of the heap, which takes 34 to 81 ms among 200,000 items: left to the
 * engine, a heap of 124 MB grew to 197 within minutes. A service that is never without a request leaves it to the engine.
 */
export class Garbage {
  private bytes = 0;
  private planned = false;
  /** What was left at least, by the last collection of all and those since: the one may come when much is in use. */
  private least = 0;
  private much_is_old = false;

  constructor(private readonly options: GarbageOptions) {}

  /** An answer is made. @param body_bytes of its request */
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
