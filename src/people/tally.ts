import { grown } from '../columns/growable.ts';

/** Sums of weights by user, and the number of addends. Reused from request to request, so a request allocates little. */
export class Tally {
  private sums = new Float64Array(1024);
  private counts = new Uint32Array(1024);
  private touched: number[] = [];

  add(user: number, weight: number): void {
    if (user >= this.sums.length) {
      this.sums = grown(this.sums, user + 1);
      this.counts = grown(this.counts, user + 1);
    }
    if (this.counts[user]++ === 0) this.touched.push(user);
    this.sums[user] += weight;
  }

  sum(user: number): number {
    return user < this.sums.length ? this.sums[user] : 0;
  }

  count(user: number): number {
    return user < this.counts.length ? this.counts[user] : 0;
  }

  /** Users with a sum, in the order in which they were first added. */
  get users(): readonly number[] {
    return this.touched;
  }

  /** Forgets all sums. O(users). */
  clear(): void {
    for (const user of this.touched) {
      this.sums[user] = 0;
      this.counts[user] = 0;
    }
    this.touched = [];
  }
}
