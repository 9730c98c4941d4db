import { Slabs } from './slabs.ts';
import { joinTime, msPart, secondsPart } from './time.ts';

/**
 * Counts this many seconds older than their list's latest count are dropped, except for the last of them.
 *
 * Within this time, lists are exact.
 */
const KEPT_SECONDS = 31 * 86_400;

/**
 * Earlier counts of an item's source, for counters that rose: a list of (time, count) per counter.
 *
 * An entry takes 14 bytes. Entries are in order of time, and counts never fall along a list: a lower count also lowers
 * the counts before it. Of equal counts only the first and the last are stored. Entries before the first rise are
 * merged into one with the latest of their times. Recording the entries of a list again gives the same list.
 */
export class CountHistory {
  private readonly slabs: Slabs<{
    seconds: Uint32Array<ArrayBuffer>;
    ms: Uint16Array<ArrayBuffer>;
    count: Float64Array<ArrayBuffer>;
  }>;

  constructor(entries_max?: number) {
    const columns = { seconds: new Uint32Array(64), ms: new Uint16Array(64), count: new Float64Array(64) };
    this.slabs = new Slabs(columns, { elements_max: entries_max });
  }

  get size(): number {
    return this.slabs.size;
  }

  start(list: number): number {
    return this.slabs.start(list);
  }

  end(list: number): number {
    return this.slabs.end(list);
  }

  time(at: number): number {
    return joinTime(this.slabs.columns.seconds[at], this.slabs.columns.ms[at]);
  }

  count(at: number): number {
    return this.slabs.columns.count[at];
  }

  /** The position of the first entry after `time`. O(log length). */
  firstAfter(list: number, time: number): number {
    let low = this.start(list);
    let high = this.end(list);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Records that the source counted `count` at `time`, after `former` at `former_time`, which is not later.
   *
   * Amortised O(1). O(length) when old entries are dropped.
   */
  supersede(list: number, former: number, former_time: number, count: number, time: number): void {
    if (count <= former && this.slabs.length(list) === 0) return;
    if (time > former_time) this.append(list, former, former_time);
    if (count <= former) this.lower(list, count);
    this.forget(list, time - KEPT_SECONDS, count);
  }

  clear(list: number): void {
    this.slabs.clear(list);
  }

  private append(list: number, count: number, time: number): void {
    const at = this.slabs.insert(list, 0);
    this.slabs.columns.seconds[at] = secondsPart(time);
    this.slabs.columns.ms[at] = msPart(time);
    this.slabs.columns.count[at] = count;
  }

  /** Lowers earlier counts to `count` and merges those that become equal. */
  private lower(list: number, count: number): void {
    const start = this.start(list);
    let last = this.end(list) - 1;
    for (; last > start && this.count(last - 1) >= count; last--) this.slabs.remove(list, last);
    if (last >= start && this.count(last) > count) this.slabs.columns.count[last] = count;
  }

  /** Drops the first entries if they are too old or equal to the next count. */
  private forget(list: number, until: number, count: number): void {
    const start = this.start(list);
    for (let next = start + 1; next <= this.end(list); this.slabs.remove(list, start)) {
      const last = next === this.end(list);
      const rises = this.count(start) !== (last ? count : this.count(next));
      if (rises && (last || this.time(next) > until)) return;
    }
  }
}
