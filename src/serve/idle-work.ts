import type { Timers } from '../clock.ts';

/** Maximum duration of a slice of background work (a longer step ends it), and the pause as a multiple of it. */
interface Pace {
  slice_ms: number;
  rest: number;
}

const BESIDE_REQUESTS: Pace = { slice_ms: 0.5, rest: 3 };
/** While large bodies are processed, with or without feed requests. */
const IN_CROWD: Pace = { slice_ms: 0.5, rest: 12 };
/** Without recent feed requests. Timers wait at least a millisecond, so shorter slices would pause for longer. */
const ALONE: Pace = { slice_ms: 2, rest: 0.25 };
const ALONE_AFTER_MS = 250;
/** Changes count as arriving for this time after the last ones. */
const CHANGED_WITHIN_MS = 250;

export interface IdleWorkOptions {
  monotonicMs(): number;
  timers: Timers;
  /** In (0, 1]. The smaller, the longer the pauses. */
  effort(): number;
  /** Whether large bodies are being processed. */
  crowded(): boolean;
  /** A step of work that can wait for hours, see `IdleWork`. Returns false if there is none. */
  spare?(): boolean;
}

/**
 * Runs background work in short slices until none is left.
 *
 * During feed requests it uses at most a quarter of the thread's time, and a thirteenth while large bodies are
 * processed. The remaining time of a core is for the writer's thread, which requests wait for.
 *
 * Spare work begins when no other work is left. It stops at a feed request or a large body, until the next look
 * (`lookEvery`) finds neither. While changes arrive it has the pace of a crowd.
 */
export class IdleWork {
  private scheduled = false;
  private rests_until_ms = Number.NEGATIVE_INFINITY;
  private woken_ms = Number.NEGATIVE_INFINITY;
  private changed_ms = Number.NEGATIVE_INFINITY;
  /** Whether the last step was spare work. */
  private is_spare = false;

  /** @param step does a small piece of work; returns false if there is none */
  constructor(
    private readonly step: () => boolean,
    private readonly options: IdleWorkOptions,
  ) {}

  /** Reports a feed request and starts work if none is running. */
  wake(): void {
    this.woken_ms = this.options.monotonicMs();
    this.goOn(this.woken_ms);
  }

  /** Reports changes of the state. */
  changed(): void {
    this.changed_ms = this.options.monotonicMs();
  }

  /** Also checks for work at this interval, without feed requests. @returns a function that stops this */
  lookEvery(seconds: number): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.options.timers.after(seconds, () => {
        this.goOn(this.options.monotonicMs());
        again();
      });
    };
    again();
    return () => cancel();
  }

  private goOn(now_ms: number): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.options.timers.after(Math.max(0, this.rests_until_ms - now_ms) / 1000, () => this.slice());
  }

  private slice(): void {
    const { monotonicMs, effort } = this.options;
    this.scheduled = false;
    const start_ms = monotonicMs();
    const { slice_ms, rest } = this.paceAt(start_ms);
    this.is_spare = false;
    let now_ms = start_ms;
    let worked = true;
    while (worked && now_ms - start_ms < slice_ms) {
      worked = this.step() || this.spareStep(now_ms);
      now_ms = monotonicMs();
    }
    this.rests_until_ms = now_ms + (rest * (now_ms - start_ms)) / effort();
    if (worked) this.goOn(now_ms);
  }

  private spareStep(now_ms: number): boolean {
    const { spare, crowded } = this.options;
    this.is_spare = spare !== undefined && !crowded() && !this.isRequested(now_ms) && spare();
    return this.is_spare;
  }

  private paceAt(now_ms: number): Pace {
    if (this.options.crowded()) return IN_CROWD;
    if (this.isRequested(now_ms)) return BESIDE_REQUESTS;
    return this.is_spare && now_ms - this.changed_ms < CHANGED_WITHIN_MS ? IN_CROWD : ALONE;
  }

  private isRequested(now_ms: number): boolean {
    return now_ms - this.woken_ms < ALONE_AFTER_MS;
  }
}
