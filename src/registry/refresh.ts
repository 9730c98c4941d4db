import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { checkRefresh } from '../plugin/host-rules.ts';
import type { PluginLog, Refreshed } from '../plugin/index.ts';

/** How long a first run may hold up the start where there is a value to start with. */
const FIRST_SECONDS_MAX = 5;

export interface RefreshOptions<T> {
  name: string;
  /** From the end of a run to the start of the next. */
  seconds: number;
  fn: () => T | Promise<T>;
  /** The value until a run succeeds; undefined: there is none. */
  initial: T | undefined;
}

/** A value that is fetched again and again. The service's side of `host.refresh`. */
export class Refresh<T> implements Refreshed<T> {
  /**
   * Ends with the first run, where there is an initial value after five seconds at the latest; rejects when the run failed
   * and there was none.
   */
  readonly first: Promise<void>;
  private current: { value: T } | undefined;
  private stopped = false;
  private cancel = (): void => {};

  /** @throws Error for a name, a period or a function that is none */
  constructor(
    private readonly options: RefreshOptions<T>,
    private readonly timers: Timers,
    private readonly log: PluginLog,
  ) {
    const { name, seconds, fn, initial } = options;
    checkRefresh(name, seconds, fn);
    if (initial !== undefined) this.current = { value: initial };
    this.first = initial === undefined ? this.run() : this.runWithinLimit();
    // Whoever waits for it hears of it; nobody has to.
    this.first.catch(() => {});
  }

  get value(): T {
    if (this.current === undefined) throw new Error(`'${this.options.name}' has no value yet`);
    return this.current.value;
  }

  /** No further run; one that is under way changes nothing any more. */
  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  /** The run goes on, however long it takes, and nobody waits for it any longer. */
  private runWithinLimit(): Promise<void> {
    const { name } = this.options;
    const { promise, resolve } = Promise.withResolvers<void>();
    // Before the run, which may fail at once and plans the next.
    this.cancel = this.timers.after(FIRST_SECONDS_MAX, () => {
      this.log.warn({ refresh: name }, `'${name}' is not there yet; it starts with its initial value`);
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
    this.run().catch((error: Error) => this.log.error({ cause: error.message }, 'there is still no value'));
  }
}
