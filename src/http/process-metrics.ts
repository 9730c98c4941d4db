import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { readLevel, type Sample } from './read-metrics.ts';

/** Interval of the lag measurement. */
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
      { statistic },
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds) / NANOSECONDS_PER_SECOND : 0,
    ]);
  }
}

/** Adds metrics of the process's memory, CPU and event loop. */
export function readProcess(registry: Registry, event_loop: EventLoopWatch): void {
  readLevel(registry, {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => [[{}, process.memoryUsage.rss()]],
  });
  readLevel(registry, {
    name: 'feedloom_memory_bytes',
    help: 'Memory inside the process, by kind.',
    labels: ['kind'],
    read: () => {
      const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
      const kinds = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers };
      return Object.entries(kinds).map(([kind, bytes]): Sample => [{ kind }, bytes]);
    },
  });
  readLevel(registry, {
    name: 'feedloom_event_loop_lag_seconds',
    help: 'Lag of the event loop since the last reading.',
    labels: ['statistic'],
    read: () => event_loop.read(),
  });
}
