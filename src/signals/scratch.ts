import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { ObjectPool } from './object-pool.ts';
import { newerFirst, tieBreak } from './order.ts';
import { ScoredQueue } from './scored-queue.ts';
import { SignificantActs } from './significant-acts.ts';
import { Strongest } from './strongest.ts';
import { Tastes } from './tastes.ts';

/** Reused objects for requests. One per service, as pages are built synchronously. */
export class Scratch {
  readonly accumulators: ObjectPool<Accumulator>;
  /** For items in page order. */
  readonly queues: ObjectPool<ScoredQueue>;
  /** Ties may have any order, since candidates are ranked again. */
  readonly strongest: ObjectPool<Strongest>;
  readonly tastes: ObjectPool<Tastes>;
  readonly significant_acts: SignificantActs;
  /** Detects repeated counted acts of a user. */
  readonly repeats: Repeats;

  constructor(state: State) {
    const later = newerFirst(state);
    this.accumulators = new ObjectPool(() => new Accumulator(state.setup.ordinal_hash));
    this.significant_acts = SignificantActs.ofUsers(state);
    this.repeats = new Repeats([state.vocabulary.counted_by_any]);
    this.queues = new ObjectPool(() => new ScoredQueue((one, other) => tieBreak(state, one, other)));
    this.tastes = new ObjectPool(() => new Tastes(state));
    this.strongest = new ObjectPool(() => new Strongest(later));
  }

  takeBack(): void {
    this.accumulators.takeBack();
    this.queues.takeBack();
    this.strongest.takeBack();
    this.tastes.takeBack();
  }
}
