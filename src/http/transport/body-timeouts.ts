import { monotonicMs, systemTimers, type Timers } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';

/** Seconds between two checks for late bodies. */
const CHECK_SECONDS = 1;

/** The body did not arrive in time. Its connection must be closed, as the rest of the body may still come. */
export class LateBody extends ServiceError {
  constructor(seconds: number) {
    super('malformed_json', `the body has not arrived within ${seconds} s of its request`);
  }
}

/** A request body that is being received. */
export class ArrivingBody {
  bytes = 0;
  /** Stops the reading. Undefined before reading starts and after it ended. */
  cancel: (() => void) | undefined;
  private readonly since_ms: number;
  private moved_ms: number;

  constructor(
    private readonly nowMs: () => number,
    private readonly allowed_ms: number,
  ) {
    this.since_ms = nowMs();
    this.moved_ms = this.since_ms;
  }

  /** Records that further bytes were received. */
  arrived(bytes: number): void {
    this.bytes += bytes;
    this.moved_ms = this.nowMs();
  }

  /** Whether the body has stalled for too long, or is too slow on average. */
  get is_late(): boolean {
    const { allowed_ms } = this;
    const worth_ms = (this.bytes / LIMITS.body_bytes_per_second_min) * 1000;
    const now_ms = this.nowMs();
    return now_ms - this.moved_ms >= allowed_ms || now_ms - this.since_ms >= allowed_ms + worth_ms;
  }

  get seconds(): number {
    return Math.round((this.nowMs() - this.since_ms) / 1000);
  }
}

interface Arriving {
  body: ArrivingBody;
  giveUp(error: ServiceError): void;
}

/**
 * Times out request bodies that arrive too slowly.
 *
 * Without a timeout, a client that holds its body back would occupy a slot of the requests under way. One timer checks
 * all bodies.
 */
export class BodyTimeouts {
  private readonly arriving = new Set<Arriving>();
  private checking = false;

  constructor(
    private readonly timers: Timers = systemTimers,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /**
   * Reads a body with a timeout.
   * @param seconds the longest stall, and the time before the minimum rate counts
   * @throws LateBody; errors of `read`
   */
  inTime<T>(read: (body: ArrivingBody) => Promise<T>, seconds: number): Promise<T> {
    const body = new ArrivingBody(this.nowMs, seconds * 1000);
    return new Promise((resolve, reject) => {
      const entry = { body, giveUp: reject };
      this.arriving.add(entry);
      this.checkLater();
      read(body)
        .then(resolve, reject)
        .finally(() => this.arriving.delete(entry));
    });
  }

  private checkLater(): void {
    if (this.checking) return;
    this.checking = true;
    this.timers.after(CHECK_SECONDS, () => {
      this.checking = false;
      this.giveUpLate();
      if (this.arriving.size > 0) this.checkLater();
    });
  }

  private giveUpLate(): void {
    for (const entry of this.arriving) {
      const { body, giveUp } = entry;
      if (!body.is_late) continue;
      this.arriving.delete(entry);
      giveUp(new LateBody(body.seconds));
      body.cancel?.();
    }
  }
}
