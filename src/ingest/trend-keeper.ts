import type { Change } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { PROFILES_WORTH_A_PURGE } from '../store/purge-profiles.ts';
import { silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';

/** Stores what has been learnt of trends, as of the state's own time: that it is stored is nothing that happened. */
export class TrendKeeper {
  /** `Trend.events` when it was stored last. */
  private stored_events = 0;
  /**
   * Something may have been erased, deleted or retired since, which a purge takes out up to where this is stored.
   * After a start that is true unless it is the last that is stored: what came after it is not known.
   */
  private erased: boolean;
  /** Profiles stored since, whose former versions a purge takes out likewise. */
  private profiles = 0;

  /** @param state as it was found */
  constructor(
    private readonly state: State,
    private readonly store: Store,
  ) {
    const is_last = state.seq === state.learns_from;
    if (is_last) this.stored_events = state.trend.events;
    this.erased = !is_last;
  }

  /** A change has been applied. */
  applied({ kind }: Change): void {
    if (kind === 'erasure' || kind === 'deletion' || kind === 'retirement') this.erased = true;
    if (kind === 'user') this.profiles++;
    if (kind !== 'trend') return;
    this.stored_events = this.state.trend.events;
    this.erased = false;
    this.profiles = 0;
  }

  /**
   * Stores it, unless nothing was learnt or erased since it was stored last, nor many profiles stored. To be called before a purge, which goes no
   * further than what was stored, because it takes out what it was learnt from.
   * @throws ServiceError `store_unavailable`, at once while the store is silent; `shutting_down`
   */
  async save(): Promise<void> {
    const { trend, applied_at } = this.state;
    const is_needed = this.erased || this.profiles >= PROFILES_WORTH_A_PURGE;
    if (trend.events === this.stored_events && !is_needed) return;
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
