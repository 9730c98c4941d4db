/**
 * Time and randomness. Only this file reads the machine's clock and random generator; all other code gets them as
 * arguments. So history can be replayed with the clock of its data, and requests from a seed.
 */

/** Seconds since the Unix epoch, fractions allowed (millisecond resolution). */
export type Seconds = number;

export const DAY_SECONDS = 86_400;

/** The day (UTC) of a time, in whole days since 1970. */
export function dayOf(time: Seconds): number {
  return Math.floor(time / DAY_SECONDS);
}

const ISO_DATE_LENGTH = '2026-01-01'.length;

/** A day of `dayOf`, as `2026-01-01`. */
export function isoDate(day: number): string {
  return new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, ISO_DATE_LENGTH);
}

export interface Clock {
  /** The current time in seconds since the Unix epoch. */
  now(): Seconds;
}

export const systemClock: Clock = { now: () => Date.now() / 1000 };

/** The machine's clock, or one that starts at `now` and runs at the machine's pace (`serve --now`). */
export function clockOf({ now: start }: { now?: Seconds }): Clock {
  if (start === undefined) return systemClock;
  const offset_seconds = start - systemClock.now();
  return { now: () => systemClock.now() + offset_seconds };
}

/** A clock that only moves when it is set: for tests, import and evaluation. */
export class ManualClock implements Clock {
  constructor(private seconds: Seconds) {}
  now(): Seconds {
    return this.seconds;
  }
  set(seconds: Seconds): void {
    this.seconds = seconds;
  }
  advance(by_seconds: Seconds): void {
    this.seconds += by_seconds;
  }
}

/** Another clock, except while a time is set: for the past of the demo. */
export class PastClock implements Clock {
  private seconds: Seconds | undefined;
  constructor(private readonly present: Clock) {}
  now(): Seconds {
    return this.seconds ?? this.present.now();
  }
  set(seconds: Seconds): void {
    this.seconds = seconds;
  }
  /** Shows the time of the other clock again. */
  release(): void {
    this.seconds = undefined;
  }
}

/** The pace of a clock that is ahead of the clock that it follows. */
const PACE_AHEAD = 0.5;

const MILLISECOND = 0.001;

/** Operators are warned above this difference. Slewed clocks and differences between machines are smaller. */
const AHEAD_WARNED_SECONDS = 60;

/**
 * A clock that is never behind a reached time and never stands still. In whole milliseconds.
 *
 * If the followed clock was set back, this clock continues at half the pace until the other has caught up. So
 * successive events still have successive times.
 */
export class SteadyClock implements Clock {
  private last: Seconds = Number.NEGATIVE_INFINITY;
  private followed: Seconds = Number.POSITIVE_INFINITY;
  private warned = false;

  /**
   * @param reached a time that may rise
   * @param onAhead called with the difference in whole seconds when it exceeds a minute, and again only if the clock
   * has caught up in between
   */
  constructor(
    private readonly clock: Clock,
    private readonly reached: () => Seconds,
    private readonly onAhead: (seconds: number) => void = () => {},
  ) {}

  /** Calls `onAhead` if needed. Reading the time does so as well. */
  warnIfAhead(): void {
    this.checkAhead(this.reached() - this.clock.now());
  }

  now(): Seconds {
    const now = this.clock.now();
    const reached = this.reached();
    this.checkAhead(reached - now);
    const elapsed = Math.max(0, now - this.followed);
    this.followed = now;
    const paced = this.last + elapsed * PACE_AHEAD;
    // It may have been ahead by a part of a millisecond, which is not stored.
    this.last =
      now > reached ? Math.max(now, Math.min(paced, reached + MILLISECOND)) : Math.max(reached, paced);
    // Rounded down, so that a stored time is never ahead of the clock. The hundredth compensates rounding of doubles.
    return Math.floor(this.last * 1000 + 0.01) / 1000;
  }

  private checkAhead(ahead: Seconds): void {
    const seconds = Math.round(ahead);
    if (seconds > AHEAD_WARNED_SECONDS && !this.warned) {
      this.warned = true;
      this.onAhead(seconds);
    } else if (seconds <= 0) this.warned = false;
  }
}

/**
 * How far another clock is ahead, which was read between two times of this one; negative if it is behind. 0 if it showed
 * a time in between, however long the reading took.
 */
export function aheadBy(other: Seconds, from: Seconds, until: Seconds): Seconds {
  return other > until ? other - until : Math.min(0, other - from);
}

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * A generator with a 32-bit seed (mulberry32). The same seed gives the same sequence on every machine.
 *
 * Not for secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A fresh 32-bit seed from the machine's randomness. */
export function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/** Milliseconds since an arbitrary start, for durations only. */
export function monotonicMs(): number {
  return performance.now();
}

/** Schedules functions. It is passed as an argument like the clock, so tests never wait. */
export interface Timers {
  /** Runs `run` once after some seconds, unless the returned function is called before. */
  after(seconds: Seconds, run: () => void): () => void;
}

/** Maximum delay of a timer: 2^31 - 1 ms, 24.8 days. */
const TIMER_SECONDS_MAX = 2_147_483;

/** The machine's timers. They do not keep the process alive. */
export const systemTimers: Timers = {
  after(seconds, run) {
    const timer = setTimeout(run, Math.min(seconds, TIMER_SECONDS_MAX) * 1000);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
