import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { Acts } from './affinity.ts';
import { laterNamedFirst, tieBreak } from './order.ts';
import { Pool } from './pool.ts';
import { ScoredQueue } from './scored-queue.ts';
import { Strongest } from './strongest.ts';
import { Tastes } from './tastes.ts';

/** What a request works with. One per service, as each page is built synchronously. */
export class Scratch {
  readonly accumulators = new Pool(() => new Accumulator());
  /** Of items in the order of a page. */
  readonly queues: Pool<ScoredQueue>;
  /** Ties are broken well enough for candidates, which are ranked again. */
  readonly strongest: Pool<Strongest>;
  readonly tastes: Pool<Tastes>;
  readonly acts = new Acts();

  constructor(state: State) {
    const later = laterNamedFirst(state);
    this.queues = new Pool(() => new ScoredQueue((one, other) => tieBreak(state, one, other)));
    this.tastes = new Pool(() => new Tastes(state));
    this.strongest = new Pool(() => new Strongest(later));
  }

  /** Ends a request. */
  takeBack(): void {
    this.accumulators.takeBack();
    this.queues.takeBack();
    this.strongest.takeBack();
    this.tastes.takeBack();
  }
}
