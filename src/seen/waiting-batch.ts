import { setImmediate as nextTurn } from 'node:timers/promises';

export interface WaitingBatchOptions<T> {
  /** Maximum number of values per run. */
  most: number;
  /** Maximum number of runs at a time. Values that arrive meanwhile share the next one. */
  under_way_max: number;
  /** Values of one name are in different runs. */
  nameOf?(value: T): string;
}

interface Waiting<T, R> {
  value: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Runs the values of one turn of the event loop together, in order of arrival. */
export class WaitingBatch<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private under_way = 0;
  private is_due = false;

  /** @param run returns the result of each value, which may throw. Its own error is that of all its values */
  constructor(
    private readonly run: (values: readonly T[]) => Promise<(value: T) => R>,
    private readonly options: WaitingBatchOptions<T>,
  ) {}

  add(value: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ value, resolve, reject });
      if (!this.is_due) this.start();
    });
  }

  private async start(): Promise<void> {
    this.is_due = true;
    await nextTurn();
    this.is_due = false;
    while (this.under_way < this.options.under_way_max && this.waiting.length > 0) this.send(this.take());
  }

  private take(): Waiting<T, R>[] {
    const { most, nameOf } = this.options;
    const names = new Set<string>();
    const taken: Waiting<T, R>[] = [];
    this.waiting = this.waiting.filter((each) => {
      const name = nameOf?.(each.value);
      if (taken.length === most || (name !== undefined && names.has(name))) return true;
      if (name !== undefined) names.add(name);
      taken.push(each);
      return false;
    });
    return taken;
  }

  private async send(taken: readonly Waiting<T, R>[]): Promise<void> {
    this.under_way++;
    try {
      const result = await this.run(taken.map(({ value }) => value));
      for (const { value, resolve, reject } of taken)
        try {
          resolve(result(value));
        } catch (error) {
          reject(error);
        }
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    this.under_way--;
    if (!this.is_due && this.waiting.length > 0) this.start();
  }
}
