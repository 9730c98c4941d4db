import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';

/** An outdated list is rebuilt at the next request after this many requests, since the service may never be idle. */
const MISSES_TO_BUILD = 64;
/** With a full cache, a missing list is queued only after this many misses, so that rare requests evict nothing. */
const MISSES_TO_REPLACE = 8;
const TIMES = 127;
const QUEUED = 128;

/** Counts requests for missing and outdated neighbour lists, and queues lists to build. */
export class ListDemand {
  /** For each item: misses since the last build (`TIMES`), and whether the list is queued (`QUEUED`). */
  private misses = new Uint8Array(1024);
  /** Items in order of their first miss. Items that are no longer queued are skipped. */
  private queue: Ordinal[] = [];
  private next = 0;
  waiting = 0;

  constructor(private readonly queue_max: number) {}

  /**
   * Records a miss. Returns true if the list should be built immediately.
   * @param full whether the list would replace another one
   */
  note(item: Ordinal, full: boolean): boolean {
    this.misses = grown(this.misses, item + 1);
    const times = Math.min((this.misses[item] & TIMES) + 1, MISSES_TO_BUILD + 1);
    const queued = (this.misses[item] & QUEUED) !== 0 || this.enqueue(item, times, full);
    this.misses[item] = times | (queued ? QUEUED : 0);
    return times > MISSES_TO_BUILD && queued;
  }

  first(): Ordinal {
    for (; this.next < this.queue.length; this.next++) {
      const item = this.queue[this.next];
      if ((this.misses[item] & QUEUED) !== 0) return item;
    }
    return NONE;
  }

  /** Forgets an item whose list was built or is not needed any more. */
  forget(item: Ordinal): void {
    if (item >= this.misses.length) return;
    if ((this.misses[item] & QUEUED) !== 0) this.waiting--;
    this.misses[item] = 0;
  }

  private enqueue(item: Ordinal, times: number, full: boolean): boolean {
    if (times < (full ? MISSES_TO_REPLACE : 1) || this.waiting >= this.queue_max) return false;
    if (this.next * 2 > this.queue.length) {
      this.queue.splice(0, this.next);
      this.next = 0;
    }
    this.queue.push(item);
    this.waiting++;
    return true;
  }
}
