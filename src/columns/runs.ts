/**
 * Allocates runs of an unbounded line, first fit, and merges returned runs with their free neighbours.
 *
 * Deterministic: the same calls give the same runs. O(free runs) each.
 */
export class Runs {
  /** All positions from here on are free. */
  top = 0;
  /** The start of each free run, ascending. No free run reaches the top. */
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];

  /** Whether `take` can allocate a run that ends by `end_max`. O(1) while there is room at the top. */
  fits(length: number, end_max: number): boolean {
    return this.top + length <= end_max || this.lengths.some((free) => free >= length);
  }

  take(length: number): number {
    const fit = this.lengths.findIndex((free) => free >= length);
    if (fit < 0) {
      this.top += length;
      return this.top - length;
    }
    const start = this.starts[fit];
    this.cut(fit, length);
    return start;
  }

  /** Extends the run that ends at `end` by `more`, if that space is free and ends by `end_max`. */
  extend(end: number, more: number, end_max = Number.POSITIVE_INFINITY): boolean {
    if (end === this.top) {
      if (end + more > end_max) return false;
      this.top += more;
      return true;
    }
    const next = this.after(end - 1);
    if (this.starts[next] !== end || this.lengths[next] < more) return false;
    this.cut(next, more);
    return true;
  }

  give(start: number, length: number): void {
    const next = this.after(start);
    const joins_next = this.starts[next] === start + length;
    const joins_last = next > 0 && this.starts[next - 1] + this.lengths[next - 1] === start;
    const first = joins_last ? next - 1 : next;
    const from = joins_last ? this.starts[first] : start;
    const until = joins_next ? start + length + this.lengths[next] : start + length;
    const joined = Number(joins_last) + Number(joins_next);
    if (until === this.top) {
      this.starts.splice(first, joined);
      this.lengths.splice(first, joined);
      this.top = from;
    } else {
      this.starts.splice(first, joined, from);
      this.lengths.splice(first, joined, until - from);
    }
  }

  /** Takes the first `length` of a free run. */
  private cut(index: number, length: number): void {
    if (this.lengths[index] === length) {
      this.starts.splice(index, 1);
      this.lengths.splice(index, 1);
    } else {
      this.starts[index] += length;
      this.lengths[index] -= length;
    }
  }

  private after(position: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
