import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { PluginLog, Refreshed } from '../plugin/index.ts';

/** Maximum time that a first run delays the start if there is an initial value. */
const FIRST_SECONDS_MAX = 5;

/** A later run that takes longer is logged, since it may never end. */
const SLOW_SECONDS = 60;

export interface RefreshOptions<T> {
  name: string;
  seconds: number;
  fn: () => T | Promise<T>;
  initial: T | undefined;
}

/** A value that is fetched periodically. Implements `host.refresh`. */
export class Refresh<T> implements Refreshed<T> {
  /**
   * Resolves after the first run, or after five seconds if there is an initial value.
   *
   * Rejects if the run fails and there is no initial value.
   */
  readonly first: Promise<void>;
  private current: { value: T } | undefined;
  private stopped = false;
  private cancel = (): void => {};

  /** @throws Error if the name, the period or the function is invalid */
  constructor(
    private readonly options: RefreshOptions<T>,
    private readonly timers: Timers,
    private readonly log: PluginLog,
  ) {
    const { name, seconds, fn, initial } = options;
    if (typeof name !== 'string' || name === '') throw new Error('refresh needs a name');
    if (!(typeof seconds === 'number' && seconds > 0))
      throw new Error(`refresh '${name}' needs a number of seconds above 0`);
    if (typeof fn !== 'function') throw new Error(`refresh '${name}' needs a function`);
    if (initial !== undefined) this.current = { value: initial };
    this.first = initial === undefined ? this.run() : this.runWithinLimit();
    // Callers may ignore the promise, and its rejection must not be unhandled.
    this.first.catch(() => {});
  }

  get value(): T {
    if (this.current === undefined) throw new Error(`'${this.options.name}' has no value yet`);
    return this.current.value;
  }

  /** Starts no further run. The result of a current run is ignored. */
  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  /** Stops waiting after the limit. The run itself continues. */
  private runWithinLimit(): Promise<void> {
    const { name } = this.options;
    const { promise, resolve } = Promise.withResolvers<void>();
    // The timer is set first, because the run may fail immediately and schedule the next.
    this.cancel = this.timers.after(FIRST_SECONDS_MAX, () => {
      this.log.warn(
        { refresh: name },
        `'${name}' has not been fetched yet; the service starts with its initial value`,
      );
      resolve();
    });
    return Promise.race([this.run(), promise]);
  }

  private async run(): Promise<void> {
    try {
      const value = await this.options.fn();
      if (!this.stopped) this.current = { value };
    } catch (error) {
      if (this.stopped) return;
      const { name } = this.options;
      const reason = reasonOf(error);
      if (this.current === undefined) throw new Error(`refresh '${name}': ${reason}`, { cause: error });
      this.log.error(
        { refresh: name, cause: reason },
        `'${name}' could not be refreshed; its old value stays`,
      );
    } finally {
      this.cancel();
      if (!this.stopped) this.cancel = this.timers.after(this.options.seconds, () => this.again());
    }
  }

  private again(): void {
    const { name } = this.options;
    this.cancel = this.timers.after(SLOW_SECONDS, () =>
      this.log.warn({ refresh: name }, `'${name}' is still being fetched; its old value stays`),
    );
    this.run().catch((error: Error) => this.log.error({ cause: error.message }, 'there is still no value'));
  }
}
