import type { Timers } from '../clock.ts';
import type { Effort } from '../plugin/index.ts';

/** How often the event loop is asked how late it is, milliseconds. */
const TICK_MS = 25;
/** What was seen so long ago counts for a third: one pause is no load, many are. */
const MEMORY_MS = 250;
/** From the thresholds of a lower effort, how far the lag must fall before there is more of it again. */
const RELEASE = 0.5;

/** Effort by level, and how many times `threshold_ms` the lag must be for it. */
const LEVELS: readonly { effort: Effort; times: number }[] = [
  { effort: 1, times: 0 },
  { effort: 0.5, times: 1 },
  { effort: 0.25, times: 2 },
];

/** From the most to the least. */
export const EFFORTS: readonly Effort[] = LEVELS.map(({ effort }) => effort);

export interface LoadGaugeOptions {
  monotonicMs(): number;
  timers: Timers;
  /** Lag from which requests are built with less effort, milliseconds; 0: always with all of it. */
  threshold_ms: number;
}

/**
 * How loaded the process is: how late a timer fires is how long a request that arrives now waits for its turn
 * of the event loop. From it follows how much effort requests are worth, by steps with hysteresis, so that
 * the relief that a lower step brings does not end it at once.
 */
export class LoadGauge {
  private smoothed_ms = 0;
  private level = 0;
  private stop: (() => void) | undefined;

  constructor(private readonly options: LoadGaugeOptions) {}

  /** How late the event loop is, smoothed, milliseconds. */
  get lag_ms(): number {
    return this.smoothed_ms;
  }

  get effort(): Effort {
    return LEVELS[this.level].effort;
  }

  /** Begins to watch; ends with the returned function. */
  watch(): () => void {
    this.wait();
    return () => this.stop?.();
  }

  private wait(): void {
    const { monotonicMs, timers } = this.options;
    const due_ms = monotonicMs() + TICK_MS;
    this.stop = timers.after(TICK_MS / 1000, () => {
      this.seen(Math.max(0, monotonicMs() - due_ms));
      this.wait();
    });
  }

  /** A tick came so late: the longer it took, the more of the time it tells about. */
  private seen(late_ms: number): void {
    const share = 1 - Math.exp(-(TICK_MS + late_ms) / MEMORY_MS);
    this.smoothed_ms += share * (late_ms - this.smoothed_ms);
    const { threshold_ms } = this.options;
    if (threshold_ms === 0) return;
    const load = this.smoothed_ms / threshold_ms;
    while (this.level < LEVELS.length - 1 && load >= LEVELS[this.level + 1].times) this.level++;
    while (this.level > 0 && load < RELEASE * LEVELS[this.level].times) this.level--;
  }
}
