import type { Logger } from 'pino';
import { monotonicMs, systemTimers, type Timers } from '../../clock.ts';
import { LIMITS } from '../../limits.ts';
import { LogLimiter } from '../../log-limiter.ts';
import { type Connection, type Descriptors, processDescriptors } from './descriptors.ts';

/** Seconds between two checks. After connections were closed the next check is sooner, as more may wait. */
const CHECK_SECONDS = 0.25;
const RECHECK_SECONDS = 0.01;

/** Share of all descriptors to keep free, … */
const FREE_SHARE = 0.1;
const FREE_MAX = 64;
/** Maximum share of connections to close at a time. */
const CLOSED_SHARE = 0.25;

/** A connection with traffic this recently is not idle: a request may be on its way. */
const IDLE_MS = 20;

export interface ConnectionGuardOptions {
  /** Ports of clients with requests under way. Their connections stay open. */
  busyPorts(): ReadonlySet<number>;
  timers?: Timers;
  monotonic?: () => number;
}

/**
 * Keeps file descriptors free by closing the connections that have been idle for longest.
 *
 * Without free descriptors the runtime retries to accept waiting connections in a loop, which takes a whole core, and
 * the store cannot open its files.
 */
export class ConnectionGuard {
  closed = 0;
  private readonly free: number;
  private readonly lines: LogLimiter;
  private cancel: (() => void) | undefined;

  constructor(
    private readonly descriptors: Descriptors,
    private readonly ports: readonly number[],
    private readonly log: Pick<Logger, 'warn'>,
    private readonly options: ConnectionGuardOptions,
  ) {
    const { monotonic = monotonicMs } = options;
    this.free = Math.min(FREE_MAX, Math.ceil(descriptors.limit * FREE_SHARE));
    this.lines = new LogLimiter(LIMITS.repeated_log_ms, monotonic);
  }

  /** Starts the checks. @returns a function that stops them */
  begin(): () => void {
    this.check();
    return () => this.cancel?.();
  }

  private check(): void {
    const { timers = systemTimers } = this.options;
    const closed = this.descriptors.isShortOf(this.free) ? this.closeIdle() : 0;
    if (closed > 0) this.countClosed(closed);
    this.cancel = timers.after(closed > 0 ? RECHECK_SECONDS : CHECK_SECONDS, () => this.check());
  }

  private closeIdle(): number {
    const { descriptors, ports } = this;
    const busy = this.options.busyPorts();
    const count = Math.max(this.free, Math.ceil(descriptors.limit * CLOSED_SHARE));
    const longestFirst = (one: Connection, other: Connection) => other.idle_ms - one.idle_ms;
    const idle = ports
      .flatMap((port) => descriptors.connectionsTo(port))
      .filter(({ idle_ms, peer_port }) => idle_ms >= IDLE_MS && !busy.has(peer_port))
      .sort(longestFirst)
      .slice(0, count);
    for (const connection of idle) descriptors.hangUp(connection);
    return idle.length;
  }

  private countClosed(closed: number): void {
    this.closed += closed;
    const unlogged = this.lines.pick('closed');
    if (unlogged === undefined) return;
    const line = { closed, limit: this.descriptors.limit, unlogged: unlogged || undefined };
    this.log.warn(line, 'file descriptors run short: the connections idle for longest were closed');
  }
}

/** Guards the connections of this process. Works only on Linux, where the system lists them. */
export function guardConnections(
  ports: readonly number[],
  log: Logger,
  options: ConnectionGuardOptions,
): ConnectionGuard | undefined {
  const descriptors = processDescriptors();
  return descriptors === undefined ? undefined : new ConnectionGuard(descriptors, ports, log, options);
}
