/** Milliseconds are what tells events apart. */
const TICK_SECONDS = 0.001;

/**
 * Gives events without a time of their own a moment that is theirs alone: now, and later than what was last
 * given to an event of the same wallet and item, so that they happen in the order in which they came.
 */
export class Moments {
  /** By pair the latest moment that was given; the pair that got one longest ago comes first. */
  private readonly latest = new Map<string, number>();

  /**
   * The time of an event, to the millisecond. Amortised O(1).
   * @param pair wallet and item
   * @param given the event's own time, if it has one
   * @param now to the millisecond, never going back
   * @param isKnown whether such an event is known to have happened at a time
   */
  timeOf(pair: string, given: number | undefined, now: number, isKnown: (time: number) => boolean): number {
    if (given !== undefined) return given;
    this.forgetBefore(now);
    let time = now;
    const latest = this.latest.get(pair);
    if (latest !== undefined && latest >= now) time = next(latest);
    while (isKnown(time)) time = next(time);
    this.latest.delete(pair);
    this.latest.set(pair, time);
    return time;
  }

  /** Two at a time, so that what is past goes faster than what comes. */
  private forgetBefore(now: number): void {
    let looked_at = 0;
    for (const [pair, time] of this.latest) {
      if (looked_at++ === 2 || time >= now) return;
      this.latest.delete(pair);
    }
  }
}

function next(time: number): number {
  return Math.round((time + TICK_SECONDS) * 1000) / 1000;
}
