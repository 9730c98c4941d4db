import { LIMITS } from '../limits.ts';

/**
 * Limits the time of a record for the data's clock.
 *
 * The result is never ahead of the service's clock. It is never ahead of the exported state, unless the record reached
 * that state later.
 * @param exported_at the time of the exported state; Infinity without one
 * @param lead how far a record's time may be ahead of the state that it reached
 */
export function reached(time: number, ceiling: number, exported_at: number, lead: number): number {
  return Math.min(time, time <= exported_at + lead ? Math.min(ceiling, exported_at) : ceiling);
}

/** The data's time: the latest time so far, but never ahead of the service's clock. */
export class DataClock {
  /** Number of records dated after `ceiling`, which count as of the data's time. */
  ahead_count = 0;

  /**
   * @param now the start of the clock, seconds
   * @param start the time of records without one
   * @param ceiling the service's clock
   * @param exported_at the time of the exported state
   */
  constructor(
    public now: number,
    readonly start: number,
    private readonly ceiling: number,
    private readonly exported_at = Number.POSITIVE_INFINITY,
  ) {}

  /** @param lead how far a record's time may be ahead of the state that it reached */
  meet(time: number, lead: number): void {
    if (time > this.ceiling) this.ahead_count++;
    this.now = Math.max(this.now, reached(time, this.ceiling, this.exported_at, lead));
  }

  /** Whether a time is further ahead of everything than clocks differ. */
  isFarAhead(time: number): boolean {
    return time > this.ceiling + LIMITS.future_tolerance_seconds;
  }

  /** The time of an act; undefined if it is ahead of everything. */
  past(time: number | undefined): number | undefined {
    if (time === undefined) return this.start;
    return time > this.ceiling ? undefined : time;
  }
}
