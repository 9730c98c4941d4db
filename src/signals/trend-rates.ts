import type { Ordinal } from '../plugin/index.ts';
import { CHANGES_KEPT } from '../state/change-ring.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';

/** A rate that was computed so long ago (seconds) is computed anew, although nothing happened to its item. */
const KEPT_SECONDS = 60;

/**
 * Engagements per hour expected of items (`state.trend`), a cache outside the fold (design decision 5): what
 * changed is computed anew at once, what only grew older after a minute. `exact`: at any change of time or
 * state.
 */
export class TrendRates {
  private rates = new Float64Array(64);
  /** When each was computed; 0: it must be. */
  private computed_at = new Float64Array(64);
  /** The changes that are known here (`state.changed.version`). */
  private version = 0;
  private seq = 0;

  constructor(
    private readonly state: State,
    private readonly exact: boolean,
  ) {}

  /** Rates as of `now` for one request. */
  at(now: number): (item: Ordinal) => number {
    this.takeChanges();
    const tolerance = this.exact ? 0 : KEPT_SECONDS;
    return (item) => {
      if (item >= this.rates.length || Math.abs(now - this.computed_at[item]) > tolerance) {
        this.rates = grown(this.rates, item + 1);
        this.computed_at = grown(this.computed_at, item + 1);
        this.rates[item] = this.state.trend.rate(item, now);
        this.computed_at[item] = now;
      }
      return this.rates[item];
    };
  }

  private takeChanges(): void {
    const { changed, seq } = this.state;
    if (this.exact) {
      if (seq !== this.seq) this.computed_at.fill(0);
    } else if (changed.version - this.version > CHANGES_KEPT) this.computed_at.fill(0);
    else for (const item of changed.since(this.version, CHANGES_KEPT)) this.computed_at[item] = 0;
    this.version = changed.version;
    this.seq = seq;
  }
}
