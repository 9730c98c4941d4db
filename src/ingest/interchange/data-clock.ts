import { LIMITS } from '../../limits.ts';

/**
 * How far the data's time goes on to that of a record: never ahead of the service's own clock, nor of the state that is
 * told of unless the record came after it.
 * @param told_at the time of that state; Infinity without one
 * @param lead how far ahead of the state that it came into a record's time may lie
 */
export function reached(time: number, ceiling: number, told_at: number, lead: number): number {
  return Math.min(time, time <= told_at + lead ? Math.min(ceiling, told_at) : ceiling);
}

/** The data's time: the latest time met so far, and never ahead of the service's own clock. */
export class DataClock {
  /** Records dated after `ceiling`, which count as of the data's time. */
  ahead_count = 0;

  /**
   * @param now where it starts, seconds
   * @param start the time of records that have none
   * @param ceiling the service's clock
   * @param told_at the time of the state that is told of
   */
  constructor(
    public now: number,
    readonly start: number,
    private readonly ceiling: number,
    private readonly told_at = Number.POSITIVE_INFINITY,
  ) {}

  /** @param lead how far ahead of the state that it came into a record's time may lie */
  meet(time: number, lead: number): void {
    if (time > this.ceiling) this.ahead_count++;
    this.now = Math.max(this.now, reached(time, this.ceiling, this.told_at, lead));
  }

  /** Further ahead of everything than clocks differ. */
  isFarAhead(time: number): boolean {
    return time > this.ceiling + LIMITS.future_tolerance_seconds;
  }

  /** The time of an act; undefined when it lies ahead of everything. */
  past(time: number | undefined): number | undefined {
    if (time === undefined) return this.start;
    return time > this.ceiling ? undefined : time;
  }
}
