import { type FetcherOptions, MetadataFetcher, type Provide } from '../../src/alpha/metadata-fetcher.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** A fetcher with a manual clock and provider. */
export class FetcherScene {
  now_ms = 0;
  readonly timers = new ManualTimers();
  readonly calls: { item_ids: readonly string[]; resolve(all: unknown): void; reject(error: Error): void }[] =
    [];
  readonly logged: object[] = [];
  readonly fetcher: MetadataFetcher;

  constructor(options: Pick<FetcherOptions, 'remembered_bytes_max'> = {}) {
    const provide: Provide = (item_ids) =>
      new Promise((resolve, reject) => this.calls.push({ item_ids, resolve: resolve as never, reject }));
    const note = (fields: object | string) => {
      if (typeof fields === 'object') this.logged.push(fields);
    };
    this.fetcher = new MetadataFetcher({
      id: 'acme/metadata',
      provide,
      monotonicMs: () => this.now_ms,
      timers: this.timers,
      ...options,
      log: { info: note, warn: note, error: note },
    });
  }

  /** Describes items, and answers the last call with entries or an error, or with a name for each. */
  async describe(items: readonly string[], ...answers: unknown[]) {
    const described = this.fetcher.describe(items);
    await this.settle();
    const call = this.calls.length - 1;
    const [answer] = answers;
    if (answers.length === 0) this.answer(call);
    else if (answer instanceof Error) this.calls[call].reject(answer);
    else this.calls[call].resolve(answer);
    return described;
  }

  /** Answers the nth call with a name for each item. */
  answer(call: number): void {
    this.calls[call].resolve(this.calls[call].item_ids.map((item_id) => ({ name: `name of ${item_id}` })));
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

export const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `item ${from + index}`);
