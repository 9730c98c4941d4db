import { monotonicMs, systemTimers, type Timers } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** From one look for bodies that are late to the next. */
const LOOK_SECONDS = 1;

/** A body that does not arrive in time; the connection is of no use any more, as the rest of it may come yet. */
export class LateBody extends ServiceError {
  constructor(seconds: number) {
    super('malformed_json', `the body has not arrived within ${seconds} s of its request`);
  }
}

/** A body on its way. */
export class ArrivingBody {
  /** Bytes that have arrived. */
  bytes = 0;
  /** Ends the reading; absent: it is waited for no longer. */
  cancel: (() => void) | undefined;
  private readonly since_ms: number;
  private moved_ms: number;

  constructor(private readonly nowMs: () => number) {
    this.since_ms = nowMs();
    this.moved_ms = this.since_ms;
  }

  /** So many further bytes have arrived. */
  arrived(bytes: number): void {
    this.bytes += bytes;
    this.moved_ms = this.nowMs();
  }

  /** Whether nothing of it has come for too long, or too little in all. */
  get is_late(): boolean {
    const allowed_ms = LIMITS.body_seconds * 1000;
    const worth_ms = (this.bytes / LIMITS.body_bytes_per_second_min) * 1000;
    const now_ms = this.nowMs();
    return now_ms - this.moved_ms >= allowed_ms || now_ms - this.since_ms >= allowed_ms + worth_ms;
  }

  /** Since its request came. */
  get seconds(): number {
    return Math.round((this.nowMs() - this.since_ms) / 1000);
  }
}

interface Arriving {
  body: ArrivingBody;
  giveUp(error: ServiceError): void;
}

/**
 * Bodies on their way. A small one comes with its request and a large one at the pace of a network; a client that keeps its
 * body back would hold one of the requests that may be under way for nothing. One timer looks after all of them.
 */
export class Arrivals {
  private readonly arriving = new Set<Arriving>();
  private looking = false;

  constructor(
    private readonly timers: Timers = systemTimers,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /**
   * Waits for a body, but not for ever.
   * @throws LateBody; what `read` throws
   */
  inTime<T>(read: (body: ArrivingBody) => Promise<T>): Promise<T> {
    const body = new ArrivingBody(this.nowMs);
    return new Promise((resolve, reject) => {
      const entry = { body, giveUp: reject };
      this.arriving.add(entry);
      this.lookLater();
      read(body)
        .then(resolve, reject)
        .finally(() => this.arriving.delete(entry));
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
    for (const entry of this.arriving) {
      const { body, giveUp } = entry;
      if (!body.is_late) continue;
      this.arriving.delete(entry);
      giveUp(new LateBody(body.seconds));
      body.cancel?.();
    }
  }
}
