import { monotonicMs } from '../clock.ts';
import { quantile } from '../statistics.ts';

/** Most pages whose time is measured. They are spread evenly over all pages. */
const TIMED_MAX = 1000;
/** Most pages that are built before the first measurement, so that the code is compiled. */
const WARM_UP_PAGES = 500;
/** Time for these pages, of all recommenders together. */
const WARM_UP_MS = 1000;

/** The position of a page among all that are to be built. */
export interface Position {
  index: number;
  total: number;
}

/**
 * Times pages whose caches are current: a page is built once for its content, and again to measure it.
 *
 * The first page after records were applied pays for refreshing caches. If it were measured, the time of a function would
 * depend on the number of pages that other functions build at the same moment.
 */
export class PageTimes {
  private readonly all_us: number[] = [];

  /** @param recommenders the number of those that are measured */
  constructor(
    private readonly recommenders: number,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  async measure<T>(build: () => Promise<T>, { index, total }: Position): Promise<T> {
    const page = await build();
    if (index % Math.ceil(total / TIMED_MAX) !== 0) return page;
    if (this.all_us.length === 0) await this.warmUp(build);
    const start_ms = this.nowMs();
    await build();
    this.all_us.push((this.nowMs() - start_ms) * 1000);
    return page;
  }

  private async warmUp(build: () => Promise<unknown>): Promise<void> {
    const until_ms = this.nowMs() + WARM_UP_MS / this.recommenders;
    for (let built = 0; built < WARM_UP_PAGES && this.nowMs() < until_ms; built++) await build();
  }

  get row(): { p50_us?: number; p99_us?: number } {
    if (this.all_us.length === 0) return {};
    return {
      p50_us: Math.round(quantile(this.all_us, 0.5)),
      p99_us: Math.round(quantile(this.all_us, 0.99)),
    };
  }
}
