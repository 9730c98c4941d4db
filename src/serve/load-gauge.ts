import type { Timers } from '../clock.ts';
import type { Effort } from '../signals/effort.ts';

/** Interval at which the delay of the event loop is measured, in milliseconds. */
const TICK_MS = 25;
/** Time constant of smoothing: a value of this age counts for a third. A single pause is not load. */
const MEMORY_MS = 250;
/** The effort rises again when the lag falls below this share of the threshold. */
const RELEASE = 0.5;

/** Effort levels, each with its threshold as a multiple of `threshold_ms`. */
const LEVELS: readonly { effort: Effort; times: number }[] = [
  { effort: 1, times: 0 },
  { effort: 0.5, times: 1 },
  { effort: 0.25, times: 2 },
];

export const EFFORTS: readonly Effort[] = LEVELS.map(({ effort }) => effort);

export interface LoadGaugeOptions {
  monotonicMs(): number;
  timers: Timers;
  /** The lag from which the effort is reduced, in milliseconds. 0: never. */
  threshold_ms: number;
}

/**
 * Measures the load of the process by the delay of timers, which is the time that a new request waits.
 *
 * It maps the load to an effort by levels with hysteresis, so that the relief from a lower level does not end it
 * immediately.
 */
export class LoadGauge {
  private smoothed_ms = 0;
  private level = 0;
  private stop: (() => void) | undefined;

  constructor(private readonly options: LoadGaugeOptions) {}

  get lag_ms(): number {
    return this.smoothed_ms;
  }

  get effort(): Effort {
    return LEVELS[this.level].effort;
  }

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

  /** Adds a measured delay. The longer a tick took, the more time it represents. */
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
