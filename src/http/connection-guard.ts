import type { Logger } from 'pino';
import { monotonicMs, systemTimers, type Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Connection, type Descriptors, processDescriptors } from './descriptors.ts';
import { OneOfAKind } from './one-of-a-kind.ts';

/** From one look to the next, and to the one after connections were closed, as more may wait to be accepted. */
const LOOK_SECONDS = 0.25;
const LOOK_AGAIN_SECONDS = 0.01;

/** Of all descriptors, the share that is kept free, at most so many … */
const FREE_SHARE = 0.1;
const FREE_MAX = 64;
/** … and the share of connections that are closed at a time, at most. */
const CLOSED_SHARE = 0.25;

/** A connection on which something moved so short a time ago is not idle: a request may be on its way. */
const IDLE_MS = 20;

export interface ConnectionGuardOptions {
  /** Ports of the clients whose requests are under way, which keep their connections. */
  busyPorts(): ReadonlySet<number>;
  timers?: Timers;
  monotonic?: () => number;
}

/**
 * Keeps descriptors free by closing the connections that have been idle for longest. Without any, the runtime tries to accept
 * the connections that wait again and again, which takes a core, and the store cannot open its files.
 */
export class ConnectionGuard {
  /** Connections closed since the start. */
  closed = 0;
  private readonly free: number;
  private readonly lines: OneOfAKind;
  private cancel: (() => void) | undefined;

  /** @param ports that the service listens on */
  constructor(
    private readonly descriptors: Descriptors,
    private readonly ports: readonly number[],
    private readonly log: Pick<Logger, 'warn'>,
    private readonly options: ConnectionGuardOptions,
  ) {
    const { monotonic = monotonicMs } = options;
    this.free = Math.min(FREE_MAX, Math.ceil(descriptors.limit * FREE_SHARE));
    this.lines = new OneOfAKind(LIMITS.one_of_a_kind_logged_ms, monotonic);
  }

  /** Guards from now on. @returns what ends it */
  begin(): () => void {
    this.look();
    return () => this.cancel?.();
  }

  private look(): void {
    const { timers = systemTimers } = this.options;
    const closed = this.descriptors.lacks(this.free) ? this.closeIdle() : 0;
    if (closed > 0) this.tell(closed);
    this.cancel = timers.after(closed > 0 ? LOOK_AGAIN_SECONDS : LOOK_SECONDS, () => this.look());
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

  private tell(closed: number): void {
    this.closed += closed;
    const unlogged = this.lines.pick('closed');
    if (unlogged === undefined) return;
    const line = { closed, limit: this.descriptors.limit, unlogged: unlogged || undefined };
    this.log.warn(line, 'descriptors run short: the connections that were idle for longest are closed');
  }
}

/** Guards the connections of this process, where the system tells of them: on Linux. */
export function guardConnections(
  ports: readonly number[],
  log: Logger,
  options: ConnectionGuardOptions,
): ConnectionGuard | undefined {
  const descriptors = processDescriptors();
  return descriptors === undefined ? undefined : new ConnectionGuard(descriptors, ports, log, options);
}
