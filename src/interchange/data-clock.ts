import { LIMITS } from '../limits.ts';

/** The data's time: the latest time so far, but never ahead of the service's clock. */
export class DataClock {
  /** Number of records dated after `ceiling`, which count as of the data's time. */
  ahead_count = 0;

  /**
   * @param now the start of the clock, seconds
   * @param start the time of records without one
   * @param ceiling the service's clock
   */
  constructor(
    public now: number,
    readonly start: number,
    private readonly ceiling: number,
  ) {}

  /** The time of what has none; that of the service while nothing has a time. */
  get assumed(): number {
    return this.now > 0 ? this.now : this.ceiling;
  }

  meet(time: number): void {
    if (time > this.ceiling) this.ahead_count++;
    this.now = Math.max(this.now, Math.min(time, this.ceiling));
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
