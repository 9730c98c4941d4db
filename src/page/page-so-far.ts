import type { Ordinal, Reached } from '../plugin/index.ts';
import type { Engine } from './engine.ts';
import { WorkBudget } from './work-budget.ts';

/** The state that all requests of one page share. */
export class PageSoFar {
  readonly budget: WorkBudget;
  /** Items reached from the viewer, by method and options. */
  readonly reached = new Map<string, Reached>();
  /** Signals of the main feed. Other feeds have their own, since shares depend on what a feed may show. */
  readonly signals = new Map<string, (item: Ordinal) => number>();
  /** Whether a feed of the page depends on the follows of users other than the viewer. */
  asks_of_others = false;
  /** Whether the page is built. Its buffers may then be used by other requests. */
  ended = false;

  constructor({ monotonicMs }: Pick<Engine, 'monotonicMs'>) {
    this.budget = new WorkBudget(monotonicMs);
  }

  /** @throws Error if a plugin has kept a request and uses it after its end */
  refuseWhenEnded(): void {
    if (this.ended) throw new Error('the request has ended and cannot be used any more');
  }
}
