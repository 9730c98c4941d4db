import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { checkRefresh } from '../plugin/host-rules.ts';
import type { PluginLog, Refreshed } from '../plugin/index.ts';

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
  /** Ends with the first run; rejects when that failed and there was no initial value. */
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
    this.first = this.run();
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
      if (!this.stopped) this.cancel = this.timers.after(this.options.seconds, () => this.again());
    }
  }

  private again(): void {
    this.run().catch((error: Error) => this.log.error({ cause: error.message }, 'there is still no value'));
  }
}
