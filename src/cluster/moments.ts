import type { Clock } from '../clock.ts';

/** A moment by both clocks of the machine. */
export interface Moment {
  monotonic_ms: number;
  wall_ms: number;
}

/** Before every other moment. */
export const LONG_AGO: Moment = {
  monotonic_ms: Number.NEGATIVE_INFINITY,
  wall_ms: Number.NEGATIVE_INFINITY,
};

/**
 * Measures how long ago a moment was, including the time for which the machine was suspended.
 *
 * The monotonic clock stands still while a machine is suspended, and the wall clock can be set. The longer of the two
 * durations counts: a duration that is too long costs a question to the database, one that is too short an outdated page.
 */
export class Moments {
  constructor(
    private readonly monotonicMs: () => number,
    private readonly clock: Clock,
  ) {}

  now(): Moment {
    return { monotonic_ms: this.monotonicMs(), wall_ms: this.clock.now() * 1_000 };
  }

  /** Milliseconds since a moment. */
  since({ monotonic_ms, wall_ms }: Moment): number {
    const now = this.now();
    return Math.max(now.monotonic_ms - monotonic_ms, now.wall_ms - wall_ms);
  }
}
