import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Engine } from './engine.ts';

export type Signals = Map<string, (item: Ordinal) => number>;

export class PageSoFar {
  readonly budget: WorkBudget;
  /** Signals of the main feed, which also fill the answer. */
  readonly signals: Signals = new Map();
  private are_signals_lent = false;
  /** Whether a feed of the page depends on the follows of users other than the viewer. */
  uses_others_follows = false;
  /** Whether the page is built. Its buffers may then be used by other requests. */
  ended = false;

  constructor(
    { monotonicMs }: Pick<Engine, 'monotonicMs'>,
    readonly shown: ReadonlySet<Ordinal> = new Set(),
  ) {
    this.budget = new WorkBudget(monotonicMs);
  }

  /** The main feed is the first. Other feeds have their own, because shares depend on what a feed may show. */
  signalsOfNextFeed(): Signals {
    if (this.are_signals_lent) return new Map();
    this.are_signals_lent = true;
    return this.signals;
  }

  /** @throws Error if a plugin has kept a request and uses it after its end */
  refuseWhenEnded(): void {
    if (this.ended) throw new Error('the request has ended and cannot be used any more');
  }
}

/** Units of work between two reads of the clock: about 50 µs of ordinary work. */
const CHECK_UNITS = 1_024;

/**
 * Limits the work of one request. A page is built without interruption and blocks all other requests meanwhile.
 *
 * Loops whose length depends on the request count about one unit per item. A request is rejected if it has counted
 * many units and has taken long. Time alone rejects nothing, so ordinary requests succeed on a busy machine. With
 * plugins, whose calls may take any time, time alone rejects a request after a much longer limit.
 */
export class WorkBudget {
  private readonly start_ms: number;
  private units = 0;
  private counted_plugins = false;
  private left = CHECK_UNITS;

  constructor(private readonly monotonicMs: () => number) {
    this.start_ms = monotonicMs();
  }

  /** @param on describes the work in the error @throws ServiceError `request_too_costly` */
  spend(units: number, on: () => string): void {
    this.left -= units;
    if (this.left <= 0) this.check(on);
  }

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
