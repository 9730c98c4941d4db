import { notifierOf, type ServiceManager } from '../platform/service-manager.ts';
import { PLUGIN_CALLS } from '../registry/plugin-calls.ts';
import { threadUrl } from '../this-program.ts';

/** Exit code of a process whose main thread hung (EX_SOFTWARE of sysexits.h). */
export const HUNG = 70;

/** The beats of the main thread, and during how many loads it may be silent outside of plugins. */
export const BEATS = 0;
export const LOADING = 1;

/** Longest time between two beats, and between two looks at them. */
const TICK_MS_MAX = 1_000;
const TICKS_PER_LIMIT = 10;
const TICKS_PER_MANAGER_LIMIT = 4;
const READY_RETRY_MS = 100;

/** What the watching thread gets. */
export interface WatchOrder {
  cells: SharedArrayBuffer;
  /** The memory of `PluginCalls`. */
  calls: SharedArrayBuffer;
  /** Infinity: the service manager alone acts. */
  limit_ms: number;
  tick_ms: number;
  manager?: ServiceManager;
  /** Where the reason is written, as a line of a log or as the failure of a check. Undefined: nowhere. */
  report?: { descriptor: number; form: 'log' | 'check' };
  exit_code: number;
}

export interface WatchdogOptions extends Pick<WatchOrder, 'manager' | 'report'> {
  /** 0: no limit. */
  seconds: number;
  /** Default: `HUNG`. */
  exit_code?: number;
  /** Called when the watching thread has failed. */
  onFailure(reason: string): void;
}

/**
 * Ends the process when its main thread hangs, as in an endless loop of a plugin: no request would be answered, and no
 * signal handled. A thread of its own watches, logs which call of a plugin does not return, and exits with `HUNG`.
 *
 * A state may take long to load, so until then only calls of plugins are limited.
 */
export class Watchdog {
  private readonly cells = new Int32Array(new SharedArrayBuffer(8));
  private readonly worker: Worker | undefined;
  private readonly beating: ReturnType<typeof setInterval> | undefined;
  private readonly notify: (state: string) => boolean;
  private announcing: ReturnType<typeof setTimeout> | undefined;

  constructor({ seconds, manager, report, exit_code = HUNG, onFailure }: WatchdogOptions) {
    this.notify = manager === undefined ? () => true : notifierOf(manager);
    const limit_ms = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
    const { watchdog_ms = Number.POSITIVE_INFINITY } = manager ?? {};
    if (Math.min(limit_ms, watchdog_ms) === Number.POSITIVE_INFINITY) return;
    const tick_ms = Math.min(TICK_MS_MAX, limit_ms / TICKS_PER_LIMIT, watchdog_ms / TICKS_PER_MANAGER_LIMIT);
    const { cells } = this;
    const [{ memory: calls }, { buffer }] = [PLUGIN_CALLS, cells];
    const order: WatchOrder = { cells: buffer, calls, limit_ms, tick_ms, manager, report, exit_code };
    this.worker = new Worker(threadUrl('cli/watchdog-worker'));
    this.worker.onerror = ({ message }) => onFailure(message);
    this.worker.postMessage(order);
    this.worker.unref();
    this.beating = setInterval(() => cells[BEATS]++, tick_ms).unref();
  }

  /** Limits only calls of plugins until `work` has ended. */
  async whileLoading<T>(work: () => Promise<T>): Promise<T> {
    this.cells[LOADING]++;
    try {
      return await work();
    } finally {
      this.cells[LOADING]--;
    }
  }

  /** Lets the service manager know that the service is ready, at once or when it takes messages again, … */
  ready(): void {
    if (!this.notify('READY=1')) this.announcing = setTimeout(() => this.ready(), READY_RETRY_MS).unref();
  }

  /** … and that it stops. */
  stopping(): void {
    clearTimeout(this.announcing);
    this.notify('STOPPING=1');
  }

  close(): void {
    clearInterval(this.beating);
    clearTimeout(this.announcing);
    this.worker?.terminate();
  }
}
