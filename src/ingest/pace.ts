import { setImmediate as nextTurn, setTimeout as sleepMs } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Slice, slicesOf } from './slices.ts';

/** While somebody reads, slices begin so far apart at least, 50,000 records a second at most, … */
const APART_MS = 2;
/** … those of one body twice as far, on the average, so that a large one is no crowd … */
const APART_IN_BODY_MS = 4;
/** … and so long after a page was asked for. */
const READ_WITHIN_MS = 250;
/** Large bodies are being worked off until so long after one of their later slices began. */
const WORKING_WITHIN_MS = 50;

export interface PaceOptions {
  monotonicMs(): number;
  sleep(ms: number): Promise<unknown>;
  nextTurn(): Promise<unknown>;
}

/** A slice that waits for its turn. */
export interface PacedSlice extends Slice {
  /** When it may begin, in another turn of the event loop; undefined for the first, which is all there is to most bodies. */
  begins: Promise<void> | undefined;
}

/** Spreads the work on large bodies over time, so that pages asked for meanwhile do not wait for slice after slice. */
export class Pace {
  /** When a slice began last that was not the first of its body. */
  private began_ms = Number.NEGATIVE_INFINITY;
  private read_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: PaceOptions = { monotonicMs, sleep: sleepMs, nextTurn }) {}

  /** Somebody waits for a page. */
  reading(): void {
    this.read_ms = this.options.monotonicMs();
  }

  /** Whether large bodies are being worked off: what can be done later is better done later. */
  get crowded(): boolean {
    return this.options.monotonicMs() - this.began_ms <= WORKING_WITHIN_MS;
  }

  /**
   * A body in slices, one to be worked off after the other.
   * @param long as of `slicesOf`
   */
  *slices(records: readonly unknown[], long: boolean): Generator<PacedSlice> {
    let due_ms = this.options.monotonicMs();
    for (const slice of slicesOf(records, long, () => this.slice_records)) {
      yield { ...slice, begins: slice.start === 0 ? undefined : this.turn(due_ms) };
      const now_ms = this.options.monotonicMs();
      // One that began late is made up for by the next, and one that did not wait is not waited for.
      due_ms = Math.min(Math.max(due_ms + APART_IN_BODY_MS, now_ms), now_ms + APART_IN_BODY_MS);
    }
  }

  /** Records of a slice at most: few while somebody reads, as each page waits for the slice that is under way. */
  private get slice_records(): number {
    return this.isRead() ? LIMITS.ingest_slice_records_read : LIMITS.ingest_slice_records;
  }

  /** Resolves when a slice that is due then may begin, and does. */
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
