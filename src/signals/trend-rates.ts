import { CHANGES_KEPT } from '../columns/change-ring.ts';
import { grown } from '../columns/growable.ts';
import { consume } from '../consume.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** A rate of an unchanged item is recomputed after this many seconds. */
const KEPT_SECONDS = 60;
/** Indexes of an item's two numbers. */
const RATE = 0;
const COMPUTED_AT = 1;
/** The value of `COMPUTED_AT` for missing rates. Arrays grow with this value. */
const NEVER = 0;

/**
 * Caches the expected engagements per hour of items (`state.trend`), outside of the fold.
 *
 * Rates of changed items are recomputed at once, others after a minute. `exact`: after any change of time or state.
 */
export class TrendRates {
  /** For each item, its rate and the time of computation. They are adjacent, to save a cache miss. */
  private known = new Float64Array(2 * 64);
  /** The applied changes (`state.changed.version`). */
  private version = 0;
  private seq = 0;

  constructor(
    private readonly state: State,
    private readonly exact: boolean,
  ) {}

  at(now: number): (item: Ordinal) => number {
    this.takeChanges();
    const tolerance = this.exact ? 0 : KEPT_SECONDS;
    return (item) => {
      const at = 2 * item;
      const computed_at = at < this.known.length ? this.known[at + COMPUTED_AT] : NEVER;
      if (computed_at === NEVER || Math.abs(now - computed_at) > tolerance) {
        this.known = grown(this.known, at + 2);
        this.known[at + RATE] = this.state.trend.rate(item, now);
        this.known[at + COMPUTED_AT] = now;
      }
      return this.known[at + RATE];
    };
  }

  /** Reads the rates of some items into the processor's cache. Such a short loop fetches many at once. O(items). */
  readAhead(items: readonly Ordinal[]): void {
    let known = 0;
    for (const item of items) if (this.known[2 * item + COMPUTED_AT] > NEVER) known++;
    consume(known);
  }

  private takeChanges(): void {
    const { changed, seq } = this.state;
    if (this.exact) {
      if (seq !== this.seq) this.known.fill(NEVER);
    } else if (changed.version - this.version > CHANGES_KEPT) this.known.fill(NEVER);
    else for (const item of changed.since(this.version, CHANGES_KEPT)) this.forget(item);
    this.version = changed.version;
    this.seq = seq;
  }

  private forget(item: Ordinal): void {
    const at = 2 * item + COMPUTED_AT;
    if (at < this.known.length) this.known[at] = NEVER;
  }
}
