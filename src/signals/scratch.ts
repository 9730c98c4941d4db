import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { ObjectPool } from './object-pool.ts';
import { newerFirst, tieBreak } from './order.ts';
import { ScoredQueue } from './scored-queue.ts';
import { Strongest } from './strongest.ts';
import { Tastes } from './tastes.ts';
import { TellingActs } from './telling-acts.ts';

/** What a request works with. One per service, as each page is built synchronously. */
export class Scratch {
  readonly accumulators: ObjectPool<Accumulator>;
  /** Of items in the order of a page. */
  readonly queues: ObjectPool<ScoredQueue>;
  /** Ties are broken well enough for candidates, which are ranked again. */
  readonly strongest: ObjectPool<Strongest>;
  readonly tastes: ObjectPool<Tastes>;
  readonly telling_acts: TellingActs;
  /** Of what counters count, each user's second act and whatever follows. */
  readonly repeats: Repeats;

  constructor(state: State) {
    const later = newerFirst(state);
    this.accumulators = new ObjectPool(() => new Accumulator(state.setup.ordinal_hash));
    this.telling_acts = TellingActs.ofUsers(state);
    this.repeats = new Repeats([state.vocabulary.counted_by_any]);
    this.queues = new ObjectPool(() => new ScoredQueue((one, other) => tieBreak(state, one, other)));
    this.tastes = new ObjectPool(() => new Tastes(state));
    this.strongest = new ObjectPool(() => new Strongest(later));
  }

  /** Ends a request. */
  takeBack(): void {
    this.accumulators.takeBack();
    this.queues.takeBack();
    this.strongest.takeBack();
    this.tastes.takeBack();
  }
}
