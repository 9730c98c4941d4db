/**
 * Time and randomness, handed in everywhere else: the only file that may ask the
 * machine for either. History replays with the clock of its data, requests replay from a seed.
 */

/** Seconds since the Unix epoch, fractions allowed (millisecond resolution). */
export type Seconds = number;

export interface Clock {
  /** The current time in seconds since the Unix epoch. */
  now(): Seconds;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() / 1000 };

/** A clock that starts at `start` when created and runs on at the machine's pace (`serve --now`). */
export function clockStartingAt(start: Seconds): Clock {
  const offset_seconds = start - systemClock.now();
  return { now: () => systemClock.now() + offset_seconds };
}

/** A clock that stands still until told otherwise: tests, import and evaluation. */
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

/** Of the machine's pace, while a clock is ahead of the one that it follows. */
const PACE_AHEAD = 0.5;

/** Whoever runs the service is told of more: that the clock is slewed, or two machines differ, takes less. */
const AHEAD_TOLD_SECONDS = 60;

/**
 * A clock that is never behind what has been reached and never stands still. Where the one that it follows is behind,
 * because it was set back, it goes on from there at half the pace until it has been caught up: what happens one after
 * another has times one after another all the while. Whole milliseconds.
 */
export class SteadyClock implements Clock {
  private last: Seconds = Number.NEGATIVE_INFINITY;
  private followed: Seconds = Number.POSITIVE_INFINITY;
  private told = false;

  /**
   * @param reached a time that may rise
   * @param onAhead told how far that is ahead, in whole seconds, when more than a minute; again only if it has been
   * caught up in between
   */
  constructor(
    private readonly clock: Clock,
    private readonly reached: () => Seconds,
    private readonly onAhead: (seconds: number) => void = () => {},
  ) {}

  /** Tells what is to be told, as asking for the time does, too. */
  tell(): void {
    this.tellOf(this.reached() - this.clock.now());
  }

  now(): Seconds {
    const now = this.clock.now();
    const reached = this.reached();
    this.tellOf(reached - now);
    const elapsed = Math.max(0, now - this.followed);
    this.followed = now;
    this.last = now > reached ? now : Math.max(reached, this.last + elapsed * PACE_AHEAD);
    // Down, so that what is stored of it is never ahead of it; a hundredth is more than what doubles leave out.
    return Math.floor(this.last * 1000 + 0.01) / 1000;
  }

  private tellOf(ahead: Seconds): void {
    const seconds = Math.round(ahead);
    if (seconds > AHEAD_TOLD_SECONDS && !this.told) {
      this.told = true;
      this.onAhead(seconds);
    } else if (seconds <= 0) this.told = false;
  }
}

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * A generator seeded by a 32-bit integer (mulberry32): the same seed gives the same sequence on every
 * machine. Not for secrets.
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

/** The same from a fresh seed, which costs something only if a number is drawn. */
export function freshRandom(): Random {
  let random: Random | undefined;
  return () => {
    random ??= seededRandom(freshSeed());
    return random();
  };
}

/** Milliseconds from an arbitrary start, for durations only. */
export function monotonicMs(): number {
  return performance.now();
}

/** Runs things later: handed in like time itself, so tests never wait. */
export interface Timers {
  /** Runs `run` once after so many seconds, unless the returned function is called before. */
  after(seconds: Seconds, run: () => void): () => void;
}

/** What a timer of the machine can wait at most: 2^31 - 1 ms, 24.8 days. */
const TIMER_SECONDS_MAX = 2_147_483;

/** The machine's timers; what waits for them does not keep the process alive. */
export const systemTimers: Timers = {
  after(seconds, run) {
    const timer = setTimeout(run, Math.min(seconds, TIMER_SECONDS_MAX) * 1000);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
