import { monotonicMs, systemTimers, type Timers } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

interface Arriving {
  since_ms: number;
  giveUp(error: ServiceError): void;
}

/** From one look for bodies that are late to the next. */
const LOOK_SECONDS = 1;

const tooLate = () =>
  new ServiceError(
    'malformed_json',
    `the body has not arrived within ${LIMITS.keyless_body_seconds} s of its request`,
  );

/**
 * Bodies on their way that need no key. A small one comes with its request; whoever sends a request and keeps its body back
 * would take up one of those that may be under way for nothing. One timer looks after all of them.
 */
export class Arrivals {
  private readonly arriving = new Set<Arriving>();
  private looking = false;

  constructor(
    private readonly timers: Timers = systemTimers,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /** @throws ServiceError `malformed_json` when it takes too long; what `reading` throws */
  inTime<T>(reading: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const entry = { since_ms: this.nowMs(), giveUp: reject };
      this.arriving.add(entry);
      reading.then(
        (bytes) => {
          this.arriving.delete(entry);
          resolve(bytes);
        },
        (error) => {
          this.arriving.delete(entry);
          reject(error);
        },
      );
      this.lookLater();
    });
  }

  private lookLater(): void {
    if (this.looking) return;
    this.looking = true;
    this.timers.after(LOOK_SECONDS, () => {
      this.looking = false;
      this.giveUpLate();
      if (this.arriving.size > 0) this.lookLater();
    });
  }

  private giveUpLate(): void {
    const oldest_ms = this.nowMs() - LIMITS.keyless_body_seconds * 1000;
    for (const entry of this.arriving) {
      // They are in the order in which they began.
      if (entry.since_ms > oldest_ms) return;
      this.arriving.delete(entry);
      entry.giveUp(tooLate());
    }
  }
}
