import type { Timers } from '../clock.ts';

const GRACE_SECONDS = 5;

/** Nothing was emitted for too long by a run that had reached its source. */
export class Silence extends Error {}

/** One run of a connector: its signal, its time limits, and the order of its emits. */
export class Run {
  private readonly controller = new AbortController();
  private last: Promise<unknown> = Promise.resolve();
  private busy_count = 0;
  private was_reached = false;
  private cancel = (): void => {};

  constructor(
    private readonly stopping: AbortSignal,
    private readonly silence_seconds: number,
    private readonly timers: Timers,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The source has accepted a connection, or has answered. */
  readonly reached = (): void => {
    this.was_reached = true;
  };

  /** Stores one emit after another. The time of a slow store does not count as silence. */
  async emit<T>(store: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.reached();
    this.begin();
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
      this.finish();
    }
  }

  /** Reads records of the service, one after another, until the run ends. Meanwhile the source may be silent. */
  async *reading<T>(records: AsyncIterable<T>): AsyncGenerator<T> {
    this.begin();
    try {
      for await (const record of records) {
        this.signal.throwIfAborted();
        yield record;
      }
      this.signal.throwIfAborted();
    } finally {
      this.finish();
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

  private begin(): void {
    this.cancel();
    this.busy_count++;
  }

  private finish(): void {
    this.busy_count--;
    if (this.busy_count === 0) this.watch();
  }

  private watch(): void {
    this.cancel();
    if (this.signal.aborted) return;
    this.cancel = this.timers.after(this.silence_seconds, () => this.end(this.silence()));
  }

  private silence(): Error {
    const reason = `the source was silent for ${this.silence_seconds} s`;
    return this.was_reached ? new Silence(reason) : new Error(`${reason}, and was not reached`);
  }

  private end(reason: unknown): void {
    if (!this.signal.aborted) this.controller.abort(reason);
  }
}
