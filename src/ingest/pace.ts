import { setImmediate as nextTurn, setTimeout as sleepMs } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { LIMITS } from '../limits.ts';

/** While somebody reads, slices begin so far apart at least: 50,000 records a second at most … */
const APART_MS = 2;
/** … and so long after a page was asked for. */
const READ_WITHIN_MS = 250;

export interface PaceOptions {
  monotonicMs(): number;
  sleep(ms: number): Promise<unknown>;
  nextTurn(): Promise<unknown>;
}

/** Spreads the work on large bodies over time, so that pages asked for meanwhile do not wait for slice after slice. */
export class Pace {
  private begins_ms = Number.NEGATIVE_INFINITY;
  private read_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: PaceOptions = { monotonicMs, sleep: sleepMs, nextTurn }) {}

  /** Somebody waits for a page. */
  reading(): void {
    this.read_ms = this.options.monotonicMs();
  }

  /** Records of a slice at most: few while somebody reads, as each page waits for the slice that is under way. */
  get slice_records(): number {
    return this.isRead() ? LIMITS.ingest_slice_records_read : LIMITS.ingest_slice_records;
  }

  /**
   * Resolves when the next slice of a body may begin, in another turn of the event loop. The first, which is all there
   * is to most bodies, waits for nothing.
   */
  async next(): Promise<void> {
    const { monotonicMs, sleep, nextTurn } = this.options;
    await nextTurn();
    while (this.isRead()) {
      const rest_ms = this.begins_ms + APART_MS - monotonicMs();
      if (rest_ms <= 0) break;
      await sleep(Math.ceil(rest_ms));
    }
    this.begins_ms = monotonicMs();
  }

  private isRead(): boolean {
    return this.options.monotonicMs() - this.read_ms <= READ_WITHIN_MS;
  }
}
