import pino from 'pino';
import { monotonicMs, systemClock } from '../clock.ts';
import { fromCLibrary } from '../platform/c-library.ts';
import { notifierOf } from '../platform/service-manager.ts';
import { isInCall, readCalls } from '../registry/plugin-calls.ts';
import { LogDestination } from './log-destination.ts';
import { Silence } from './silence.ts';
import { BEATS, HUNG, LOADING, type WatchOrder } from './watchdog.ts';

declare const self: Worker;

/** The watchdog's thread. It shares nothing with the main thread but memory, since that one may never come back. */
function watch({ cells: shared, calls, limit_ms, tick_ms, manager, descriptor }: WatchOrder): void {
  const cells = new Int32Array(shared);
  const silence = new Silence(tick_ms);
  const notify = manager && notifierOf(manager);
  let looked_ms = monotonicMs();
  setInterval(() => {
    const now_ms = monotonicMs();
    const may_be_silent = Atomics.load(cells, LOADING) === 1 && !isInCall(calls);
    silence.look(may_be_silent ? undefined : Atomics.load(cells, BEATS), now_ms - looked_ms);
    if (silence.silent_ms === 0) notify?.('WATCHDOG=1');
    looked_ms = now_ms;
    if (silence.silent_ms < limit_ms) return;
    if (descriptor !== undefined) report(descriptor, silence.silent_ms, readCalls(calls));
    exit();
  }, tick_ms);
}

function report(
  descriptor: number,
  silent_ms: number,
  { current, unended }: ReturnType<typeof readCalls>,
): void {
  const seconds = Math.round(silent_ms / 100) / 10;
  const end = 'the process ends, so that a supervisor starts it again';
  const line =
    current === undefined
      ? { seconds, unended, msg: `the main thread hangs outside of the plugins' calls; ${end}` }
      : { ...current, seconds, msg: `the plugin ${current.plugin} does not return; ${end}` };
  const [level, time] = [pino.levels.values.fatal, Math.round(systemClock.now() * 1000)];
  new LogDestination(descriptor).write(`${JSON.stringify({ level, time, ...line })}\n`);
}

/** Ends the process. `process.exit` would end this thread alone. */
function exit(): void {
  fromCLibrary({ _exit: { args: ['i32'], returns: 'void' } })?._exit(HUNG);
  process.kill(process.pid, 'SIGKILL');
}

self.onmessage = ({ data }: MessageEvent<WatchOrder>) => watch(data);
