import { monotonicMs, systemClock } from '../clock.ts';
import { fromCLibrary } from '../platform/c-library.ts';
import { notifierOf } from '../platform/service-manager.ts';
import { isInCall, type PluginCall, readCalls } from '../registry/plugin-calls.ts';
import { LogDestination } from './log-destination.ts';
import { Silence } from './silence.ts';
import { BEATS, LOADING, type WatchOrder } from './watchdog.ts';

declare const self: Worker;

/** Outside of calls of plugins the limit is so many times as long: the service has no endless loop, but large tables. */
const TOLERANCE = 3;

/** The watchdog's thread. It shares nothing with the main thread but memory, since that one may never come back. */
function watch({ cells: shared, calls, limit_ms, tick_ms, manager, report, exit_code }: WatchOrder): void {
  const cells = new Int32Array(shared);
  const [silence, in_call] = [new Silence(tick_ms), new Silence(tick_ms)];
  const notify = manager && notifierOf(manager);
  let checked_ms = monotonicMs();
  setInterval(() => {
    const now_ms = monotonicMs();
    const beats = Atomics.load(cells, BEATS);
    const since_ms = now_ms - checked_ms;
    checked_ms = now_ms;
    silence.check(Atomics.load(cells, LOADING) > 0 ? undefined : beats, since_ms);
    // Counts from the entry into calls: what the service computed before, in the same turn, is not the plugin's.
    in_call.check(isInCall(calls) ? beats : undefined, since_ms);
    if (silence.silent_ms === 0 && in_call.silent_ms === 0) notify?.('WATCHDOG=1');
    if (in_call.silent_ms < limit_ms && silence.silent_ms < TOLERANCE * limit_ms) return;
    if (report !== undefined) {
      const seconds = Math.round(Math.max(silence.silent_ms, in_call.silent_ms) / 100) / 10;
      const text = FORMS[report.form](seconds, readCalls(calls));
      new LogDestination(report.descriptor).write(`${text}\n`);
    }
    exit(exit_code);
  }, tick_ms);
}

/** The number of pino's level `fatal`. */
const FATAL = 60;

type Form = (seconds: number, calls: ReturnType<typeof readCalls>) => string;

const FORMS: Record<NonNullable<WatchOrder['report']>['form'], Form> = {
  log(seconds, { current, unended }) {
    const line = {
      level: FATAL,
      time: Math.round(systemClock.now() * 1000),
      ...(current ?? { unended }),
      seconds,
    };
    const what =
      current === undefined
        ? "the main thread hangs outside of the plugins' calls"
        : `the plugin ${current.plugin} does not return`;
    return JSON.stringify({
      ...line,
      msg: `${what}; the process ends, so that a supervisor starts it again`,
    });
  },
  check(seconds, { current, unended }) {
    const calls = (current === undefined ? unended : [current]).map(shownCall).join(', ');
    return `    FAIL  it has not ended after ${seconds} s: ${calls || 'nothing that the service has called'}`;
  },
};

function shownCall({ plugin, kind, call, source }: PluginCall): string {
  return `${call} of ${plugin}${kind === undefined ? '' : ` (${kind})`} in ${source}`;
}

/** Ends the process. `process.exit` would end this thread alone. */
function exit(code: number): void {
  fromCLibrary({ _exit: { args: ['i32'], returns: 'void' } })?._exit(code);
  process.kill(process.pid, 'SIGKILL');
}

self.onmessage = ({ data }: MessageEvent<WatchOrder>) => watch(data);
