import type { Logger } from 'pino';
import { monotonicMs, type Timers } from '../clock.ts';
import { rootReasonOf } from '../errors.ts';
import { Child } from './child.ts';
import type { Membership, News, Ports, Report } from './messages.ts';

/** Seconds until a process that has ended is started again. They double with each time, up to the maximum. */
const RESTART_SECONDS = 1;
const RESTART_SECONDS_MAX = 30;
/** A process that has served for so long starts with the shortest pause again. */
const STEADY_MS = 60_000;
/** Seconds between two lists of the processes that all of them get. Changes of who leads are sent at once. */
const NEWS_SECONDS = 1;

export interface SupervisorOptions {
  /** Starts one process. */
  command: readonly string[];
  env: Record<string, string | undefined>;
  processes: number;
  secret: string;
  /** A folder for sockets that only this account may enter. Absent: the processes listen on ports for each other. */
  sockets?: string;
  log: Logger;
  /** Gets the log lines of the processes. */
  output: { write(line: string): void; readonly lines_lost: number };
  timers: Timers;
}

/** A place among the processes: at most one runs in it at a time. */
interface Slot {
  readonly process: number;
  starts: number;
  /** Pause before the next start. */
  pause_seconds: number;
  child?: Child;
  cancelStart(): void;
}

/**
 * Runs several processes of this program: starts them, passes on what they tell each other, writes their log lines to
 * one stream, and starts a process again that has ended.
 *
 * It holds no state and serves no request, so nothing that breaks a process breaks the supervisor. Which process leads is
 * decided by the processes themselves.
 */
export class Supervisor {
  private readonly slots: Slot[];
  private ports: Ports | undefined;
  private stopping = false;
  private draining = false;
  private cancelNews = (): void => {};
  private told = '';
  private readonly all_serve = Promise.withResolvers<void>();

  constructor(private readonly options: SupervisorOptions) {
    this.slots = Array.from({ length: options.processes }, (_, at) => ({
      process: at + 1,
      starts: 0,
      pause_seconds: RESTART_SECONDS,
      cancelStart: () => {},
    }));
  }

  /**
   * Starts the processes: the others when the first one serves. Resolves when all serve.
   * @returns the address that they share; the exit code of the first process if it ended before it served
   */
  async start(): Promise<{ address: string } | { code: number }> {
    const [first, ...others] = this.slots;
    const { promise: served, resolve } = Promise.withResolvers<{ address: string }>();
    const child = this.launch(first, (report) => {
      if (report.type !== 'serves') return;
      this.ports = report.ports;
      resolve({ address: report.address });
    });
    const outcome = await Promise.race([served, child.ended]);
    if (typeof outcome !== 'object') return { code: typeof outcome === 'number' ? outcome : 1 };
    this.keepRunning(first, child);
    for (const slot of this.stopping ? [] : others) this.run(slot);
    if (!this.stopping) this.tellLater();
    await this.all_serve.promise;
    return outcome;
  }

  /**
   * Makes `/readyz` of all processes answer 503, while they still serve. Processes that end are not started again.
   * Resolves when all have ended.
   */
  async drain(): Promise<void> {
    this.draining = true;
    for (const slot of this.slots) slot.cancelStart();
    this.tell();
    await Promise.all(this.slots.map(({ child }) => child?.ended));
  }

  /** Stops all processes: those that follow first, as they need the one that leads to answer their last requests. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.all_serve.resolve();
    this.cancelNews();
    for (const slot of this.slots) slot.cancelStart();
    const running = this.slots.flatMap(({ child }) => child ?? []);
    const leads = (child: Child) => child.seen?.leads === true;
    await this.end(running.filter((child) => !leads(child)));
    await this.end(running.filter(leads));
  }

  /** Ends all processes without waiting for requests. */
  kill(): void {
    for (const { child } of this.slots) child?.kill('SIGKILL');
  }

  private async end(children: readonly Child[]): Promise<void> {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(({ ended }) => ended));
  }

  private run(slot: Slot): void {
    try {
      this.keepRunning(slot, this.launch(slot));
    } catch (error) {
      this.runLater(slot, { cause: rootReasonOf(error) });
    }
  }

  private keepRunning(slot: Slot, child: Child): void {
    child.ended.then((outcome) => {
      slot.child = undefined;
      if (this.stopping || this.draining) return;
      this.tell();
      if (child.served_ms !== undefined && monotonicMs() - child.served_ms >= STEADY_MS)
        slot.pause_seconds = RESTART_SECONDS;
      this.runLater(slot, { pid: child.pid, outcome });
    });
  }

  private runLater(slot: Slot, why: Record<string, unknown>): void {
    const { log, timers } = this.options;
    const { pause_seconds: seconds, process: of } = slot;
    slot.pause_seconds = Math.min(2 * seconds, RESTART_SECONDS_MAX);
    log.error({ of, ...why, seconds }, 'a process has ended and is started again');
    slot.cancelStart = timers.after(seconds, () => this.run(slot));
  }

  private launch(slot: Slot, onReport = (_: Report): void => {}): Child {
    const { command, env, log, output, processes, secret, sockets } = this.options;
    slot.starts++;
    const membership: Membership = {
      process: slot.process,
      processes,
      secret,
      socket: sockets === undefined ? undefined : `${sockets}/${slot.process}-${slot.starts}`,
      first: this.ports === undefined,
      ports: this.ports,
    };
    const child = new Child({
      command,
      env,
      membership,
      onLine: (line) => output.write(`${line}\n`),
      onReport: (report) => {
        onReport(report);
        this.heard(report);
      },
    });
    slot.child = child;
    log.info({ of: slot.process, pid: child.pid }, 'a process was started');
    return child;
  }

  private heard(report: Report): void {
    if (report.type === 'node' && this.told === this.outline()) return;
    this.tell();
    if (this.slots.every(({ child }) => child?.served_ms !== undefined)) this.all_serve.resolve();
  }

  /** Changes with what all processes must know at once. */
  private outline(): string {
    return JSON.stringify(this.slots.map(({ child }) => [child?.seen?.node_id, child?.seen?.leads]));
  }

  private tell(): void {
    this.told = this.outline();
    const processes = this.slots.map(({ process, starts, child }) => ({
      process,
      starts,
      node: child?.seen,
    }));
    const news: News = { processes, log_lines_lost: this.options.output.lines_lost, draining: this.draining };
    for (const { child } of this.slots) child?.send(news);
  }

  private tellLater(): void {
    this.cancelNews = this.options.timers.after(NEWS_SECONDS, () => {
      this.tell();
      this.tellLater();
    });
  }
}
