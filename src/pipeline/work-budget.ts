import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** Units of work between two readings of the clock: some 50 µs of ordinary work. */
const CHECK_UNITS = 1_024;

/**
 * What one request may cost: a page is built in one go, and nothing else is answered meanwhile. Loops whose length a request decides
 * count units of work, about one for each item that they look at. A request is refused when it has counted many and took long.
 * The time alone refuses nothing, so a busy machine answers every ordinary request; with third parties' plugins, of which each call may take
 * any time, it does, after much longer.
 */
export class WorkBudget {
  private readonly start_ms: number;
  private units = 0;
  private counted_plugins = false;
  private left = CHECK_UNITS;

  constructor(private readonly monotonicMs: () => number) {
    this.start_ms = monotonicMs();
  }

  /** @param on what the work is for, for the refusal @throws ServiceError `request_too_costly` */
  spend(units: number, on: () => string): void {
    this.left -= units;
    if (this.left <= 0) this.check(on);
  }

  /** The same for `calls` of third parties' plugins beside. */
  spendOnPlugins(units: number, calls: number, on: () => string): void {
    if (calls > 0) this.counted_plugins = true;
    this.spend(units + calls * LIMITS.plugin_call_units, on);
  }

  private check(on: () => string): void {
    this.units += CHECK_UNITS - this.left;
    this.left = CHECK_UNITS;
    const milliseconds = this.monotonicMs() - this.start_ms;
    const is_much = this.units > LIMITS.request_units_free;
    const allowed_ms = is_much ? LIMITS.request_budget_ms : LIMITS.request_plugins_ms;
    if (milliseconds <= allowed_ms || !(is_much || this.counted_plugins)) return;
    throw new ServiceError(
      'request_too_costly',
      `this request was ended after ${Math.round(milliseconds)} ms of work, as no other is answered meanwhile: ${on()}`,
    );
  }
}
