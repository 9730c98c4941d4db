import type { Ordinal, Reached } from '../plugin/index.ts';
import type { Engine } from './engine.ts';
import { WorkBudget } from './work-budget.ts';

/** What the requests of one page have in common. */
export class PageSoFar {
  readonly budget: WorkBudget;
  /** What was reached from the viewer, by the question. */
  readonly reached = new Map<string, Reached>();
  /** Signals of the first feed: others may show something else, of which theirs are shares. */
  readonly signals = new Map<string, (item: Ordinal) => number>();
  /** Whether it was asked, for any of its feeds, whom others than the viewer follow. */
  asks_of_others = false;
  /** It was built: what its requests were lent may belong to others by now. */
  ended = false;

  constructor({ monotonicMs }: Pick<Engine, 'monotonicMs'>) {
    this.budget = new WorkBudget(monotonicMs);
  }

  /** @throws Error when a plugin still has one of its requests and asks it for something */
  refuseWhenEnded(): void {
    if (this.ended) throw new Error('the request has ended: nothing can be found for it any more');
  }
}
