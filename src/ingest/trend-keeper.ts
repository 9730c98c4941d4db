import type { Clock } from '../clock.ts';
import type { Change } from '../state/change.ts';
import type { State } from '../state/state.ts';
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
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  async save(): Promise<void> {
    const { trend } = this.state;
    if (trend.events === this.stored_events && !this.erased) return;
    const stamp = { seq: 0, applied_at: this.clock.now() };
    await this.store.submit([{ kind: 'trend', numbers: trend.numbers(), ...stamp }]);
  }
}
