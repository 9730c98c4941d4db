import type { Clock } from '../clock.ts';
import { notFound, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../model/change.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import type { WalletEvent } from '../model/records/wallet-event.ts';
import type { ConnectorRecord } from '../plugin/index.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import { applyChange, applyErasure } from '../state/apply.ts';
import { READ_AHEAD, readAhead } from '../state/read-ahead.ts';
import type { State } from '../state/state.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import type { Store } from '../store/store.ts';
import { IngestContext } from './context.ts';
import type { LanguageDetector } from './detect-language.ts';
import { inTurns, type Sliced } from './in-turns.ts';
import { IngestThrottle } from './ingest-throttle.ts';
import type { IngestResult } from './outcome.ts';
import { RecordIngest } from './record-ingest.ts';
import type { BodyKind, RecordKind } from './record-kinds.ts';
import { itemsDatedBy } from './redate-items.ts';
import { eraseUser, type RemovalOptions, type RemovalResult, removeItem } from './removals.ts';
import { ShownLog, type ShownLogOptions } from './shown-log.ts';
import { TrendKeeper } from './trend-keeper.ts';
import { removeEvents } from './wallet-event-deletions.ts';
import type { WriteBatch } from './write-batch.ts';
import { DryRunQueue, type Write, WriteQueue } from './write-queue.ts';
import { THE_SERVICE } from './write-turns.ts';

/** Keys in dry runs, which differ from those that are assigned meanwhile. */
const DRY_RUN_KEYS_FROM = LIMITS.keys_max / 2;

export interface Removed {
  /** False if there was nothing to delete, or if it is newer than the deletion. The warnings say which. */
  is_done: boolean;
  warnings: string[];
}

/** Everything that writes to a community: records, deletions, shown pages and trends. */
export class Ingest extends RecordIngest {
  readonly trend: TrendKeeper;
  readonly shown: ShownLog;

  constructor(
    private readonly state: State,
    private readonly store: Store,
    clock: Clock,
    private readonly languages: LanguageDetector,
    private readonly seen: Pick<SeenBook, 'viewerOf' | 'forget'>,
    private readonly write_queue: number,
    logging: Pick<ShownLogOptions, 'timers' | 'sender'>,
  ) {
    const context = new IngestContext(state, store, languages, seen);
    super(context, new WriteQueue(context, store, clock, write_queue), new IngestThrottle(), clock);
    this.trend = new TrendKeeper(state, store, this.queue.turns);
    this.shown = new ShownLog({ ...logging, store, queue: this.queue, capacity: this.capacity, clock });
  }

  get capacity() {
    return this.context.capacity;
  }

  /**
   * Called by the store with durable changes in `seq` order. The only caller of `applyChange` after the start.
   * @returns what the next changes must wait for, if there are erasures
   */
  committed(changes: readonly Change[]): Promise<void> | undefined {
    const applying = this.applying(changes);
    return applying.next().done === true ? undefined : inTurns(applying);
  }

  private *applying(changes: readonly Change[]): Sliced<void> {
    for (const [index, change] of changes.entries()) {
      if (index % READ_AHEAD === 0) readAhead(this.state, changes, index);
      if (change.kind === ERASURE.kind) {
        yield* applyErasure(this.state, change);
        this.seen.forget(change.viewer);
        this.shown.forget(change.viewer);
      } else applyChange(this.state, change);
      this.context.applied(change);
      this.trend.applied(change);
    }
  }

  /** Called by the store when a commit failed. All queued changes are lost. */
  failed(): void {
    this.context.reset();
  }

  override async ingest(
    kind: BodyKind | RecordKind,
    records: readonly unknown[],
    account?: string,
  ): Promise<IngestResult> {
    const logging = kind === 'interactions' ? this.shown.beforeActs() : undefined;
    // An await without need would let later calls take their turns first.
    if (logging !== undefined) await logging;
    return super.ingest(kind, records, account);
  }

  override async ordered(
    records: readonly ConnectorRecord[],
    cursor?: ConnectorCursor,
    account?: string,
  ): Promise<IngestResult> {
    const logging = records.some(({ kind }) => kind === INTERACTION.kind)
      ? this.shown.beforeActs()
      : undefined;
    if (logging !== undefined) await logging;
    return super.ordered(records, cursor, account);
  }

  /**
   * Answers to records what `ingest` and `followList` would, and stores nothing. For one body: its records build on each
   * other, and on everything that the account has sent before.
   *
   * Nothing else meets its keys and its queued changes, because its context is its own.
   */
  async dryRun(account = THE_SERVICE): Promise<RecordIngest> {
    await this.queue.turns.take(account, () => this.queue.allApplied());
    const { state, store, languages, seen, clock, throttle, write_queue } = this;
    const context = new IngestContext(state, store, languages, seen, DRY_RUN_KEYS_FROM);
    return new RecordIngest(context, new DryRunQueue(context, store, clock, write_queue), throttle, clock);
  }

  /** @throws ServiceError `not_found` if there is no item and no time was given */
  deleteItem(item_id: string, options: RemovalOptions = {}): Promise<Removed> {
    const write = { account: options.account, reads: () => ({ items: [item_id] }) };
    const missing = () => notFound('item', item_id);
    return this.remove(missing, write, (batch) => removeItem(item_id, options, batch));
  }

  /** @throws ServiceError `not_found` if there is neither a user nor anything that they saw, and no time was given */
  async deleteUser(user_id: string, options: RemovalOptions = {}): Promise<Removed> {
    // Of a viewer without a user record, the only trace may be a page that waits to be logged.
    if (this.shown.is_busy) await this.shown.flushed();
    const { state } = this;
    const of_user = { users: [user_id], erased: [user_id] };
    const reads = () => ({ ...of_user, items: itemsDatedBy(user_id, state) });
    const { acts_create_items: after_all, user_noun } = state.vocabulary.habits;
    const write = { account: options.account, after_all, reads };
    const missing = () => notFound(user_noun, user_id);
    return this.remove(missing, write, (batch) => eraseUser(user_id, options, batch));
  }

  /**
   * Deletes an event of a wallet, or without a time all events of its type by the wallet on the item.
   * @throws ServiceError `not_found` if there is none and no time was given
   */
  deleteEvents(event: WalletEvent, account?: string): Promise<Removed & { count: number }> {
    const { wallet_address, item_id, event_type } = event;
    const of = `'${event_type}' of wallet '${wallet_address}' on item '${item_id}'`;
    const missing = () => new ServiceError('not_found', `there is no event ${of}`);
    const write = { account, after_all: true, reads: () => ({ items: [item_id] }) };
    return this.remove(missing, write, (batch) => removeEvents(event, batch));
  }

  /** @param missing makes the error for a deletion without a time that finds nothing */
  private async remove<R extends RemovalResult>(
    missing: () => ServiceError,
    write: Omit<Write, 'prepare'>,
    add: (batch: WriteBatch) => R,
  ): Promise<Removed & R> {
    let removal: R | undefined;
    const { durable } = await this.queue.write({
      ...write,
      records: 1,
      prepare: (batch) => {
        removal = add(batch);
      },
    });
    await durable;
    const result = removal as R;
    if (result.outcome === 'missed' && !result.is_dated) throw missing();
    return { ...result, is_done: result.outcome === 'done' };
  }
}
