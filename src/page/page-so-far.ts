import type { Ordinal } from '../plugin/index.ts';
import type { Engine } from './engine.ts';
import { WorkBudget } from './work-budget.ts';

/** The signals of a request that were computed, by name. */
export type Signals = Map<string, (item: Ordinal) => number>;

/** The state that all requests of one page share. */
export class PageSoFar {
  readonly budget: WorkBudget;
  /** Signals of the main feed, which also fill the answer. */
  readonly signals: Signals = new Map();
  private are_signals_lent = false;
  /** Whether a feed of the page depends on the follows of users other than the viewer. */
  uses_others_follows = false;
  /** Whether the page is built. Its buffers may then be used by other requests. */
  ended = false;

  /** @param shown see `ContextStart` */
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
