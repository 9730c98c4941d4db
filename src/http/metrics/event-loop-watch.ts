import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Sample } from './table.ts';

const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_SECOND = 1e9;

/** Measures the lag of the event loop between two readings. */
export class EventLoopWatch {
  private loop: ReturnType<typeof monitorEventLoopDelay> | undefined;

  /** Starts the measurement. @returns a function that stops it */
  begin(): () => void {
    const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    loop.enable();
    this.loop = loop;
    return () => {
      loop.disable();
      this.loop = undefined;
    };
  }

  /** Statistics since the last reading, in seconds. Empty before the start. */
  read(): Sample[] {
    if (this.loop === undefined) return [];
    const { mean, max } = this.loop;
    const values = { mean, p99: this.loop.percentile(99), max };
    this.loop.reset();
    return Object.entries(values).map(([statistic, nanoseconds]) => [
      statistic,
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds) / NANOSECONDS_PER_SECOND : 0,
    ]);
  }
}
