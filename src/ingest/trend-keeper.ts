import type { Change, Kind } from '../model/change.ts';
import { ACT_DELETION } from '../model/changes/act-deletion.ts';
import { DELETION } from '../model/changes/deletion.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { EXPERIMENT } from '../model/changes/experiment.ts';
import { LEARNING } from '../model/changes/learning.ts';
import { RETIREMENT } from '../model/changes/retirement.ts';
import { TREND } from '../model/changes/trend.ts';
import type { State } from '../state/state.ts';
import { VERSIONS, VERSIONS_WORTH_A_PURGE } from '../store/purge-versions.ts';
import { silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import type { WriteTurns } from './write-turns.ts';

/** The kinds of changes after which a purge has rows to remove. */
const PURGED: ReadonlySet<Kind> = new Set([
  ERASURE.kind,
  DELETION.kind,
  ACT_DELETION.kind,
  RETIREMENT.kind,
  EXPERIMENT.kind,
]);

const VERSION_KINDS: ReadonlySet<Kind> = new Set(VERSIONS.map(({ kind }) => kind));

/**
 * What was learnt, as changes: the trend is the last one (`State.learns_from`). Stamped with the state's own time, because
 * storing it is not an event.
 */
export function learntChanges({ trend, learning, applied_at }: State): Change[] {
  const stamp = { seq: 0, applied_at };
  const { revision } = learning;
  return [
    { kind: LEARNING.kind, revision, content: learning.bytes(), ...stamp },
    { kind: TREND.kind, numbers: trend.numbers(), ...stamp },
  ];
}

/** Stores what was learnt: trends, and what followed shown pages. */
export class TrendKeeper {
  /** `Trend.events` and `Learning.revision` when they were stored last. */
  private stored_events = 0;
  private stored_revision = 0;
  /**
   * Whether something may have been erased, deleted or retired since, or an experiment changed, which a purge removes up
   * to the stored trends.
   *
   * After a start it is true, unless the trends are the last stored row.
   */
  private erased: boolean;
  /** Versions stored since, such as profiles, whose former versions a purge removes as well. */
  private versions = 0;

  constructor(
    private readonly state: State,
    private readonly store: Store,
    private readonly turns: Pick<WriteTurns, 'exclusively'>,
  ) {
    const is_last = state.seq === state.learns_from;
    if (is_last) this.noteStored();
    this.erased = !is_last;
  }

  applied({ kind }: Change): void {
    if (PURGED.has(kind)) this.erased = true;
    if (VERSION_KINDS.has(kind)) this.versions++;
    if (kind !== TREND.kind) return;
    this.noteStored();
    this.erased = false;
    this.versions = 0;
  }

  /**
   * Stores what was learnt, unless nothing was learnt or erased and few versions were stored since the last time.
   *
   * Call it before a purge, which removes only rows that stored trends cover.
   * @throws ServiceError `store_unavailable`, at once while the store is silent; `shutting_down`
   */
  async save(): Promise<void> {
    const { trend, learning } = this.state;
    const is_needed = this.erased || this.versions >= VERSIONS_WORTH_A_PURGE;
    const is_stored = trend.events === this.stored_events && learning.revision === this.stored_revision;
    if (is_stored && !is_needed) return;
    if (this.store.is_silent) throw silent();
    // While no erasure is queued: what was learnt before it, stored behind it, would bring back the erased viewer's pages.
    await this.turns.exclusively(() => this.store.submit(learntChanges(this.state)));
  }

  private noteStored(): void {
    this.stored_events = this.state.trend.events;
    this.stored_revision = this.state.learning.revision;
  }
}
