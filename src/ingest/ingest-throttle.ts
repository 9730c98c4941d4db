import { setImmediate as nextTurn, setTimeout as sleepMs } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Slice, slicesOf } from './slices.ts';

/** Minimum distance between slices while pages are requested, at most 50,000 records a second, … */
const APART_MS = 2;
/** … the average distance between slices of one body, so that one large body does not count as a crowd, … */
const APART_IN_BODY_MS = 4;
/** … and how long after a page request this applies. */
const READ_WITHIN_MS = 250;
/** Large bodies count as under way for this time after the start of a later slice. */
const WORKING_WITHIN_MS = 50;

export interface ThrottleOptions {
  monotonicMs(): number;
  sleep(ms: number): Promise<unknown>;
  nextTurn(): Promise<unknown>;
}

export interface PacedSlice<T> extends Slice<T> {
  /** Resolves when the slice may begin, in another turn of the event loop. Undefined for the first slice of a body. */
  begins: Promise<void> | undefined;
}

/** Spreads large bodies over time, so that pages do not wait for several slices in a row. */
export class IngestThrottle {
  /** When the last slice began that was not the first of its body. */
  private began_ms = Number.NEGATIVE_INFINITY;
  private read_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ThrottleOptions = { monotonicMs, sleep: sleepMs, nextTurn }) {}

  reading(): void {
    this.read_ms = this.options.monotonicMs();
  }

  /** Whether large bodies are under way, so that other background work should wait. */
  get crowded(): boolean {
    return this.options.monotonicMs() - this.began_ms <= WORKING_WITHIN_MS;
  }

  /** Splits a body into slices, which the caller processes in order. @param long see `slicesOf` */
  *slices<T>(records: readonly T[], long: boolean): Generator<PacedSlice<T>> {
    let due_ms = this.options.monotonicMs();
    for (const slice of slicesOf(records, long, () => this.slice_records)) {
      yield { ...slice, begins: slice.start === 0 ? undefined : this.turn(due_ms) };
      const now_ms = this.options.monotonicMs();
      // A late slice is made up for by the next one, up to one distance.
      due_ms = Math.min(Math.max(due_ms + APART_IN_BODY_MS, now_ms), now_ms + APART_IN_BODY_MS);
    }
  }

  /** Maximum records of a slice: few while pages are requested, because each page waits for the current slice. */
  private get slice_records(): number {
    return this.isRead() ? LIMITS.ingest_slice_records_read : LIMITS.ingest_slice_records;
  }

  /** Resolves when a slice that is due may begin, and counts it as begun. */
  private async turn(due_ms: number): Promise<void> {
    const { monotonicMs, sleep, nextTurn } = this.options;
    await nextTurn();
    while (this.isRead()) {
      const rest_ms = Math.max(due_ms, this.began_ms + APART_MS) - monotonicMs();
      if (rest_ms <= 0) break;
      await sleep(Math.ceil(rest_ms));
    }
    this.began_ms = monotonicMs();
  }

  private isRead(): boolean {
    return this.options.monotonicMs() - this.read_ms <= READ_WITHIN_MS;
  }
}
