import type { Timers } from '../clock.ts';

/** How long background work goes on in one go (a step that takes longer ends it), and rests as so many times that. */
interface Pace {
  slice_ms: number;
  rest: number;
}

const BESIDE_REQUESTS: Pace = { slice_ms: 0.5, rest: 3 };
/** While large bodies are worked off, whether or not pages are asked for. */
const IN_CROWD: Pace = { slice_ms: 0.5, rest: 12 };
/** When no page was asked for since a while. Timers take a millisecond at least, so shorter slices would rest longer. */
const ALONE: Pace = { slice_ms: 2, rest: 0.25 };
const ALONE_AFTER_MS = 250;

export interface IdleWorkOptions {
  monotonicMs(): number;
  timers: Timers;
  /** In (0, 1]: the smaller, the longer it rests. */
  effort(): number;
  /** Whether there is other work that somebody waits for. */
  crowded(): boolean;
}

/**
 * Runs steps of background work in short slices until there are none left. While pages are asked for at most a
 * quarter of the thread's time goes into it, however much waits, and a thirteenth while large bodies are worked off: what a core
 * has left belongs to the writer's thread, which requests wait for.
 */
export class IdleWork {
  private scheduled = false;
  private rests_until_ms = Number.NEGATIVE_INFINITY;
  private woken_ms = Number.NEGATIVE_INFINITY;

  /** @param step does one small piece of work; false when there was nothing to do */
  constructor(
    private readonly step: () => boolean,
    private readonly options: IdleWorkOptions,
  ) {}

  /** A page was asked for, and there may be work: starts if it is not under way. */
  wake(): void {
    this.woken_ms = this.options.monotonicMs();
    this.goOn(this.woken_ms);
  }

  /** Looks for work every so many seconds, although nobody asks for pages. @returns what ends that */
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
    let now_ms = start_ms;
    let worked = true;
    while (worked && now_ms - start_ms < slice_ms) {
      worked = this.step();
      now_ms = monotonicMs();
    }
    this.rests_until_ms = now_ms + (rest * (now_ms - start_ms)) / effort();
    if (worked) this.goOn(now_ms);
  }

  private paceAt(now_ms: number): Pace {
    if (this.options.crowded()) return IN_CROWD;
    return now_ms - this.woken_ms < ALONE_AFTER_MS ? BESIDE_REQUESTS : ALONE;
  }
}
