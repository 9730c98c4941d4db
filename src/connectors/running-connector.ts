import type { Clock, Random, Timers } from '../clock.ts';
import { reasonOf, ServiceError } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { shortened } from '../limited-log.ts';
import { emitProblem, requireStanding } from '../plugin/connector.ts';
import type { ConnectorHost, ConnectorRecord, Emitted, PluginLog, StandingKind } from '../plugin/index.ts';
import { WHEN_REACHED } from '../plugin/reached.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connections.ts';
import { RecordRate } from './record-rate.ts';
import { Run, Silence } from './run.ts';

export interface ConnectorParts {
  ingest: Pick<Ingest, 'ordered'>;
  store: Pick<Store, 'connectorCursor' | 'submit'>;
  /** The records of a kind that stand in the service. */
  current(kind: StandingKind): AsyncIterable<Readonly<Record<string, unknown>>>;
  clock: Clock;
  timers: Timers;
  random: Random;
  monotonicMs: () => number;
  /** Makes the logger of one connector, which limits lines: what they say may come from its source. */
  logOf(connector: string): PluginLog;
}

/**
 * `starting`: it runs and has emitted nothing so far. `quiet`: its source was reached and has sent nothing for a while.
 * `stalled`: it failed or did not reach its source, and has emitted nothing since. `ended`: its source has no more.
 */
export type ConnectorState = 'starting' | 'running' | 'quiet' | 'stalled' | 'ended' | 'stopped';

export interface ConnectorStatus {
  connector: string;
  state: ConnectorState;
  /** The last stored cursor; null before the first one. */
  cursor: string | null;
  records_per_second: number;
  records_count: number;
  rejected_count: number;
  /** Number of times that it was started again. */
  restarts_count: number;
  /** The reason of the last failure, cut, and its time in seconds. */
  last_error: string | null;
  last_error_at: number | null;
  /** What an operator should know. */
  warnings: string[];
  /** When records or a cursor were last stored. */
  last_stored_at: number | null;
}

/** The first delay before a restart. It doubles with each failure without success in between. */
const DELAY_SECONDS = 1;
const DELAY_SECONDS_MAX = 60;

/** Runs one connector until it is stopped, and starts it again when it fails. */
export class RunningConnector {
  private readonly run: (host: ConnectorHost) => Promise<void>;
  private readonly rate: RecordRate;
  private readonly log: PluginLog;
  private readonly stopping = new AbortController();
  private readonly counts = { records: 0, rejected: 0, restarts: 0 };
  private state: ConnectorState = 'starting';
  private cursor: string | undefined;
  private failures = 0;
  private last_error: { reason: string; at: number } | undefined;
  private last_stored_at: number | undefined;
  /** By topic. */
  private readonly warnings = new Map<string, string>();
  private ended: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly parts: ConnectorParts,
  ) {
    this.run = connection.prepare();
    this.rate = new RecordRate(parts.monotonicMs);
    this.log = parts.logOf(connection.name);
  }

  start(): void {
    this.ended ??= this.keepRunning();
  }

  /** Resolves when the current run has ended, or has had its time to end. Nothing is emitted afterwards. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service is stopping'));
    await this.ended;
    if (this.state !== 'ended') this.state = 'stopped';
  }

  get status(): ConnectorStatus {
    return {
      connector: this.connection.name,
      state: this.state,
      cursor: this.cursor ?? null,
      records_per_second: this.rate.per_second,
      records_count: this.counts.records,
      rejected_count: this.counts.rejected,
      restarts_count: this.counts.restarts,
      last_error: this.last_error?.reason ?? null,
      last_error_at: this.last_error === undefined ? null : Math.floor(this.last_error.at),
      warnings: [...this.warnings.values()],
      last_stored_at: this.last_stored_at === undefined ? null : Math.floor(this.last_stored_at),
    };
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        this.cursor = await this.parts.store.connectorCursor(this.connection.name);
        await this.runOnce();
        if (signal.aborted) return;
        this.state = 'ended';
        this.log.info('the source has ended');
        return;
      } catch (error) {
        if (signal.aborted) return;
        const seconds = error instanceof Silence ? this.silent(error) : this.failed(error);
        await this.pause(seconds);
        this.counts.restarts++;
      }
    }
  }

  /** Rejects with the connector's error, or when its source is silent. */
  private async runOnce(): Promise<void> {
    const run = new Run(this.stopping.signal, this.connection.silence_seconds, this.parts.timers);
    const { log } = this;
    const host: ConnectorHost = {
      cursor: this.cursor,
      emit: (records, cursor) => run.emit(() => this.store(records, cursor, run.signal)),
      current: (kind) => run.reading(this.parts.current(requireStanding(kind))),
      warning: (topic, text) => {
        if (!run.signal.aborted) this.warn(topic, text);
      },
      signal: run.signal,
      log: { info: log.info.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) },
      clock: { now: () => this.parts.clock.now() },
    };
    await WHEN_REACHED.run(run.reached, () => run.until(async () => this.run(host)));
  }

  private async store(
    records: readonly ConnectorRecord[],
    cursor: string,
    signal: AbortSignal,
  ): Promise<Emitted> {
    const problem = emitProblem(records, cursor);
    if (problem !== undefined) throw new Error(`emit: ${problem}`);
    const result = await this.whenRoom(() => {
      signal.throwIfAborted();
      const { name } = this.connection;
      return this.parts.ingest.ordered(records, { connector: name, cursor }, `\nconnector ${name}`);
    });
    this.cursor = cursor;
    this.failures = 0;
    this.state = 'running';
    this.last_stored_at = this.parts.clock.now();
    this.counts.records += result.accepted;
    this.counts.rejected += result.rejected_count;
    this.rate.add(result.accepted);
    this.logRejected(result);
    return result;
  }

  /** Repeats `store` while the write queue is full, each time after the queued writes are stored. */
  private async whenRoom<T>(store: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await store();
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'write_queue_full') throw error;
        await this.parts.store.submit([], 0);
      }
    }
  }

  private warn(topic: string, text: string | undefined): void {
    if (text === undefined) {
      this.warnings.delete(topic);
      return;
    }
    const shown = shortened(this.shown(text));
    if (this.warnings.get(topic) !== shown)
      this.log.warn({ topic, warning: shown }, 'a warning of a connector');
    this.warnings.set(topic, shown);
  }

  private logRejected({ rejected, rejected_count }: Emitted): void {
    if (rejected_count === 0) return;
    const [{ index, detail }] = rejected;
    this.log.warn(
      { rejected_count, index, detail },
      'the connector emitted invalid records, which were skipped',
    );
  }

  /** The reason of a failure, which may repeat what the source answered, without the secrets of the options. */
  private shown(reason: string): string {
    const longest_first = this.connection.secrets.toSorted((one, other) => other.length - one.length);
    return longest_first.reduce((text, secret) => text.replaceAll(secret, '…'), reason);
  }

  /**
   * A silent source may have nothing new, or its connection may have died unnoticed. The next run makes a new one, and
   * fails if that is impossible. A failure before the silence is over, since the run after it reached the source.
   * @returns seconds before the next start
   */
  private silent({ message }: Silence): number {
    this.failures = 0;
    if (this.state !== 'quiet')
      this.log.info(
        `${message}; the connector is started again, and whenever the source is silent for so long`,
      );
    this.state = 'quiet';
    return this.delay();
  }

  private failed(error: unknown): number {
    const seconds = this.delay();
    this.failures++;
    this.state = 'stalled';
    const reason = shortened(this.shown(reasonOf(error)));
    this.last_error = { reason, at: this.parts.clock.now() };
    this.log.warn(
      { cause: reason, retry_seconds: seconds },
      'the connector failed and will be started again',
    );
    return seconds;
  }

  /** Seconds before the next start: more after each failure, and not in step with other nodes. */
  private delay(): number {
    const longest = Math.min(DELAY_SECONDS_MAX, DELAY_SECONDS * 2 ** this.failures);
    return longest * (0.5 + this.parts.random() / 2);
  }

  private async pause(seconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.parts.timers.after(seconds, resolve);
    const { signal } = this.stopping;
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    cancel();
  }
}
