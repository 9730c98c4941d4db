import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is asked whether it is late. */
const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_SECOND = 1e9;

/** Values of the labels of one reading. */
export type Label = Record<string, string | number>;

/** Defines something that goes up and down, read when it is asked for. */
type DefineLevel = (name: string, help: string, labelNames: string[], read: () => [Label, number][]) => void;

/** How late the event loop was between two readings. */
export class EventLoopWatch {
  private loop: ReturnType<typeof monitorEventLoopDelay> | undefined;

  /** Ends with the returned function. */
  begin(): () => void {
    const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    loop.enable();
    this.loop = loop;
    return () => {
      loop.disable();
      this.loop = undefined;
    };
  }

  /** Seconds by statistic since the last reading; none before it has begun. */
  read(): [Label, number][] {
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

/** What the process takes of the machine. */
export function readProcess(level: DefineLevel, event_loop: EventLoopWatch): void {
  level('process_resident_memory_bytes', 'Memory of the process.', [], () => [
    [{}, process.memoryUsage.rss()],
  ]);
  level('feedloom_memory_bytes', 'Memory inside the process, by kind.', ['kind'], () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const kinds = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers };
    return Object.entries(kinds).map(([kind, bytes]) => [{ kind }, bytes]);
  });
  level(
    'feedloom_event_loop_lag_seconds',
    'How late the event loop was since the last time this was read.',
    ['statistic'],
    () => event_loop.read(),
  );
}
