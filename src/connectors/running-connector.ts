import type { Clock, Random, Timers } from '../clock.ts';
import { reasonOf, ServiceError } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { shortened } from '../limited-log.ts';
import { emitProblem } from '../plugin/connector.ts';
import type { ConnectorHost, ConnectorRecord, Emitted, PluginLog } from '../plugin/index.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connections.ts';
import { RecordRate } from './record-rate.ts';

export interface ConnectorParts {
  ingest: Pick<Ingest, 'ordered'>;
  store: Pick<Store, 'connectorCursor' | 'submit'>;
  clock: Clock;
  timers: Timers;
  random: Random;
  monotonicMs: () => number;
  /** Makes the logger of one connector, which limits lines: what they say may come from its source. */
  logOf(connector: string): PluginLog;
}

/**
 * `starting`: it runs and has emitted nothing so far. `quiet`: its source has sent nothing for a while, and nothing
 * failed meanwhile. `stalled`: it failed, and has emitted nothing since. `ended`: its source has no more.
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
  /** When records or a cursor were last stored. */
  last_stored_at: number | null;
}

/** The first delay before a restart. It doubles with each failure without success in between. */
const DELAY_SECONDS = 1;
const DELAY_SECONDS_MAX = 60;
const GRACE_SECONDS = 5;

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
      signal: run.signal,
      log: { info: log.info.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) },
      clock: { now: () => this.parts.clock.now() },
    };
    await run.until(async () => this.run(host));
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
   * fails if that is impossible. A failure before the silence is over, since the run after it did not fail.
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

/** Nothing was emitted for too long. */
class Silence extends Error {}

/** One run of a connector: its signal, its time limits, and the order of its emits. */
class Run {
  private readonly controller = new AbortController();
  private last: Promise<unknown> = Promise.resolve();
  private emitting_count = 0;
  private cancel = (): void => {};

  constructor(
    private readonly stopping: AbortSignal,
    private readonly silence_seconds: number,
    private readonly timers: Timers,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Stores one emit after another. The time of a slow store does not count as silence. */
  async emit<T>(store: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.cancel();
    this.emitting_count++;
    const stored = this.last.then(() => {
      this.signal.throwIfAborted();
      return store();
    });
    this.last = stored;
    // An earlier failure also fails the later emits, since the cursor must not pass over lost records.
    stored.catch((error) => this.end(error));
    try {
      return await stored;
    } finally {
      this.emitting_count--;
      if (this.emitting_count === 0) this.watch();
    }
  }

  /** Awaits the run. After its signal is aborted, it gets a short time to end. Rejects with the reason of the abort. */
  async until(work: () => Promise<void>): Promise<void> {
    const stop = () => this.end(this.stopping.reason);
    this.stopping.addEventListener('abort', stop);
    if (this.stopping.aborted) stop();
    this.watch();
    const late = Promise.withResolvers<void>();
    let cancel = (): void => {};
    this.signal.addEventListener('abort', () => {
      cancel = this.timers.after(GRACE_SECONDS, late.resolve);
    });
    try {
      // A connector that is aborted may end with an error of its own.
      await Promise.race([work(), late.promise]).catch((error) => {
        this.signal.throwIfAborted();
        throw error;
      });
      await this.last;
      this.signal.throwIfAborted();
    } finally {
      this.stopping.removeEventListener('abort', stop);
      this.end(new Error('the run has ended'));
      cancel();
      this.cancel();
      // A write that is under way ends before the next run reads the cursor.
      await Promise.allSettled([this.last]);
    }
  }

  private watch(): void {
    this.cancel();
    if (this.signal.aborted) return;
    this.cancel = this.timers.after(this.silence_seconds, () =>
      this.end(new Silence(`the source was silent for ${this.silence_seconds} s`)),
    );
  }

  private end(reason: unknown): void {
    if (!this.signal.aborted) this.controller.abort(reason);
  }
}
