import type { Clock } from '../clock.ts';
import type { Change } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';

/** Stores what has been learnt of trends. */
export class TrendKeeper {
  /** `Trend.events` when it was stored last. */
  private stored_events = 0;
  /**
   * Something may have been erased, deleted or retired since, which a purge takes out up to where this is stored.
   * After a start that is true of any state but an empty one: what the process before left is not known.
   */
  private erased: boolean;

  constructor(
    private readonly state: State,
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.erased = state.seq > 0;
  }

  /** A change has been applied. */
  applied({ kind }: Change): void {
    if (kind === 'erasure' || kind === 'deletion' || kind === 'retirement') this.erased = true;
    if (kind !== 'trend') return;
    this.stored_events = this.state.trend.events;
    this.erased = false;
  }

  /**
   * Stores it, unless nothing was learnt or erased since this process stored it last. To be called before a
   * purge, which goes no further than what was stored, because it takes out what it was learnt from.
   * @param applied_at seconds; an import's own time is that of its data, so that imports at any time are alike
   * @throws ServiceError `store_unavailable`, at once while the store is silent; `shutting_down`
   */
  async save(applied_at = this.clock.now()): Promise<void> {
    const { trend } = this.state;
    if (trend.events === this.stored_events && !this.erased) return;
    if (this.store.is_silent) throw silent();
    await this.submit(trend.numbers(), applied_at);
  }

  /**
   * Stores what was learnt elsewhere in the place of what was learnt here.
   * @param numbers as of `Trend.numbers`, with items as keys of here
   * @param applied_at when it was so, seconds, which may lie a little ahead of the clock: no time among the numbers is
   * later, and from then on it goes on
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  async take(numbers: Float64Array, applied_at: number): Promise<void> {
    await this.submit(numbers, Math.max(this.state.applied_at, applied_at));
  }

  private submit(numbers: Float64Array, applied_at: number): Promise<void> {
    return this.store.submit([{ kind: 'trend', numbers, seq: 0, applied_at }]);
  }
}
