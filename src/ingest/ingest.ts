import type { Clock } from '../clock.ts';
import { isStateFull, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { CONNECTOR_RECORD_KINDS, type ConnectorRecord } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import { applyChange } from '../state/apply.ts';
import { type Change, NONE, type Space } from '../state/change.ts';
import { READ_AHEAD, readAhead } from '../state/read-ahead.ts';
import type { State } from '../state/state.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import { queueFull, silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import type { Priority } from '../store/submission-queue.ts';
import { IngestContext, type Reads } from './context.ts';
import {
  addList,
  type Comparison,
  compareList,
  endComparison,
  type FollowListResult,
  unnamedUsers,
} from './follow-lists.ts';
import { inTurns } from './in-turns.ts';
import { IngestThrottle } from './ingest-throttle.ts';
import { type IngestResult, Outcome } from './outcome.ts';
import {
  BODY_KINDS,
  CONNECTOR_KINDS,
  isFollowList,
  parseAll,
  prepareAll,
  type RecordEntry,
  type RecordKind,
  readsOf,
} from './record-kinds.ts';
import { identifier } from './records/checks.ts';
import { type FollowListRecord, type LanguageDetector, Refusal } from './records/index.ts';
import {
  type ErasureFollowUp,
  eraseUser,
  type Removal,
  type RemovalOptions,
  removeItem,
} from './removals.ts';
import type { Slice } from './slices.ts';
import { ChangeBatch } from './state-capacity.ts';
import { TrendKeeper } from './trend-keeper.ts';
import { type View, Views } from './views.ts';
import { WriteBatch } from './write-batch.ts';
import { THE_SERVICE, WriteTurns } from './write-turns.ts';

/** The kinds of records that a body may have. */
export type BodyKind = keyof typeof BODY_KINDS;

/** The number of queued lists of a user from which the next one waits: each lookup of a follow searches all of them. */
const QUEUED_LISTS_MAX = 8;
const NOTHING: Reads = { items: [], users: [], events: [], language: false };

/** One batch on its way to the store. */
export interface Write {
  /** Has a share of the write queue. Default: the service itself. */
  account?: string;
  /** Number of records behind the changes, for which the queue must have room. Absent: the caller provides for it. */
  records?: number;
  /** Earlier batches of the same body, which must not be refused because of them. */
  earlier?: readonly Promise<void>[];
  /** Whether all earlier changes must have been applied. */
  after_all?: boolean;
  /** Whether the batch may be prepared while another one waits for what it reads. Only if it makes no versions. */
  beside_others?: boolean;
  /** What to read. Absent: nothing. Called again after a failed commit. */
  reads?(): Partial<Reads>;
  /** Prepares what takes several turns of the event loop. Called again with `prepare`. */
  begin?(): Promise<void>;
  /** Adds changes to the batch, in one turn. @returns false if it must begin again */
  prepare(batch: WriteBatch): boolean | undefined;
  /** Stored in the same transaction. Called after `prepare`. */
  cursor?(): ConnectorCursor | undefined;
}

/** Changes in the store's queue. */
export interface Queued {
  /** Resolves when they are durable and applied. */
  durable: Promise<void>;
}

/** The result of a deletion. */
export interface Removed {
  /** False if there was nothing to delete, or if it is newer than the deletion. The warnings say which. */
  is_done: boolean;
  warnings: string[];
}

/**
 * Ingests records: parses them, prepares changes, stores and applies them, then acknowledges.
 *
 * Bodies are processed in slices, with at least one turn of the event loop between them. Every slice is one `write`.
 */
export class Ingest {
  readonly trend: TrendKeeper;
  readonly views: Views;
  /** Pages report to it that a reader waits. */
  readonly throttle = new IngestThrottle();
  readonly context: IngestContext;
  private readonly turns = new WriteTurns();

  constructor(
    private readonly state: State,
    private readonly store: Store,
    private readonly clock: Clock,
    languages: LanguageDetector,
    private readonly write_queue: number,
  ) {
    this.trend = new TrendKeeper(state, store);
    this.context = new IngestContext(state, store, languages);
    this.views = new Views(this.context);
  }

  get capacity() {
    return this.context.capacity;
  }

  /** Called by the store with durable changes in `seq` order. The only caller of `applyChange` after the start. */
  committed(changes: readonly Change[]): void {
    for (const [index, change] of changes.entries()) {
      if (index % READ_AHEAD === 0) readAhead(this.state, changes, index);
      applyChange(this.state, change);
      this.context.applied(change);
      this.trend.applied(change);
    }
  }

  /** Called by the store when a commit failed. All queued changes are lost. */
  failed(): void {
    this.context.reset();
  }

  /**
   * Ingests records of one kind. Resolves when all accepted ones are durable and applied.
   * @param account has a share of the write queue
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if some of the records found no room
   */
  async ingest(
    kind: BodyKind | RecordKind,
    records: readonly unknown[],
    account = THE_SERVICE,
  ): Promise<IngestResult> {
    const outcome = new Outcome();
    const of: RecordKind = typeof kind === 'string' ? BODY_KINDS[kind] : kind;
    await this.inSlices(records, of.is_long === true, ({ start, slice, earlier }) => {
      const entries = parseAll(of, slice, start, outcome);
      const reads = readsOf(entries);
      // Acts without names make no versions.
      const beside_others = reads.items.length + reads.users.length + reads.events.length === 0;
      return this.writeRecords(entries, outcome, { account, earlier, beside_others, reads: () => reads });
    });
    return outcome.result();
  }

  /**
   * Ingests records of all kinds in their order in one transaction, with the cursor of the connector
   * that sent them, if there is one. Resolves when they are durable and applied.
   * @param account as for `ingest`, or the name of the connector or webhook
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if some of the records found no room, and
   * then the cursor is not stored
   */
  async ordered(
    records: readonly ConnectorRecord[],
    cursor?: ConnectorCursor,
    account = THE_SERVICE,
  ): Promise<IngestResult> {
    if (records.length > LIMITS.ingest_slice_records)
      throw new Error(`a batch has at most ${LIMITS.ingest_slice_records} records`);
    const outcome = new Outcome();
    const entries = records.flatMap((given, index) => entryOf(given, index, outcome));
    try {
      const lists = entries.filter(isFollowList).map(({ record }) => record);
      await this.nameListed(lists, account);
    } catch (error) {
      // Each list that finds no room will be refused, and the other records are stored.
      if (!isStateFull(error)) throw error;
    }
    const reads = readsOf(entries);
    const unlessFull = () => (outcome.lacked_room ? undefined : cursor);
    const options = { account, reads: () => reads, cursor: unlessFull };
    await (await this.writeRecords(entries, outcome, options)).durable;
    return outcome.result();
  }

  private writeRecords(
    entries: readonly RecordEntry[],
    outcome: Outcome,
    options: Omit<Write, 'records' | 'prepare'>,
  ): Promise<Queued> {
    return this.write({
      ...options,
      records: entries.length,
      prepare: (batch) => {
        prepareAll(entries, batch, outcome);
      },
    });
  }

  /**
   * Replaces the whole list of a user's follows at once. Resolves when it is durable and applied.
   *
   * It is compared with the follows of its user in slices, so that a long one does not block the event loop. A list
   * counts as of its turn, so that later records of its account are later.
   * @param account as for `ingest`
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full`, without any change to follows
   */
  async followList(record: FollowListRecord, account = THE_SERVICE): Promise<FollowListResult> {
    const { context } = this;
    const is_long = record.target_user_ids.length > LIMITS.ingest_slice_records;
    const began_at = is_long ? await this.turns.take(account, async () => this.clock.now()) : undefined;
    if (is_long) await this.nameListed([record], account);
    let comparison: Comparison | undefined;
    let result: FollowListResult | undefined;
    const queued = this.write({
      account,
      begin: async () => {
        if (comparison !== undefined) endComparison(comparison, context);
        const now = began_at ?? this.clock.now();
        const user = context.user_keys.find(record.user_id);
        if (context.queued_changes.listsOf(user) >= QUEUED_LISTS_MAX) await this.allApplied();
        comparison = await inTurns(compareList(record, now, context));
      },
      prepare: (batch) => {
        const compared = comparison as Comparison;
        batch.applied_at = compared.applied_at;
        this.ensureRoom(1 + compared.unnamed.length);
        result = addList(compared, batch);
        return result !== undefined;
      },
    });
    const { durable } = await queued.finally(() => comparison && endComparison(comparison, context));
    await durable;
    return result as FollowListResult;
  }

  /**
   * Names the users of long lists, in slices as of a body, so that a list itself is one row.
   * @throws ServiceError `state_full` if there is no room for all users of a list; as `ingest`
   */
  private async nameListed(records: readonly FollowListRecord[], account: string): Promise<void> {
    const { context } = this;
    const { estimates, user_keys } = context;
    const ids: string[] = [];
    for (const record of records) {
      const unnamed = await inTurns(unnamedUsers(record, this.clock.now(), context));
      const estimate = estimates.followList(record.user_id, unnamed.needed, unnamed.ids.length);
      new ChangeBatch(context.capacity).require(estimate);
      for (const id of unnamed.ids) ids.push(id);
    }
    if (ids.length <= LIMITS.ingest_slice_records) return;
    await this.inSlices(ids, false, ({ slice, earlier }) =>
      this.write({
        account,
        records: slice.length,
        earlier,
        beside_others: true,
        prepare: (batch) => {
          const unnamed = slice.filter((id) => user_keys.find(id) === NONE);
          batch.require(estimates.users(unnamed));
          for (const id of unnamed) batch.userKey(id);
        },
      }),
    );
  }

  /**
   * Deletes an item. Resolves when that is durable and applied.
   * @throws ServiceError `not_found` if there is no item and no time was given
   */
  deleteItem(item_id: string, options: RemovalOptions = {}): Promise<Removed> {
    const reads = () => ({ items: [item_id] });
    return this.remove('item', item_id, options, { reads }, (batch) => removeItem(item_id, options, batch));
  }

  /**
   * Erases a user. Resolves when that is durable and applied.
   * @throws ServiceError `not_found` if there is no user and no time was given
   */
  deleteUser(user_id: string, options: RemovalOptions = {}, follow_up?: ErasureFollowUp): Promise<Removed> {
    const reads = () => ({ users: [user_id], items: follow_up?.itemsOf(user_id) ?? [] });
    const after_all = follow_up !== undefined;
    return this.remove('user', user_id, options, { reads, after_all }, (batch) => {
      const removal = eraseUser(user_id, options, batch);
      if (removal.outcome === 'done') follow_up?.add(removal, batch);
      return removal;
    });
  }

  private async remove(
    space: Space,
    id: string,
    { account }: RemovalOptions,
    write: Pick<Write, 'reads' | 'after_all'>,
    add: (batch: WriteBatch) => Removal,
  ): Promise<Removed> {
    const noun = space === 'user' ? this.state.vocabulary.habits.user_noun : space;
    const notFound = () => new ServiceError('not_found', `there is no ${noun} '${id}'`);
    if (identifier(id) instanceof Refusal) throw notFound();
    let removal: Removal | undefined;
    const { durable } = await this.write({
      ...write,
      account,
      records: 1,
      prepare: (batch) => {
        removal = add(batch);
      },
    });
    await durable;
    const { outcome, is_dated, warnings } = removal as Removal;
    if (outcome === 'missed' && !is_dated) throw notFound();
    return { is_done: outcome === 'done', warnings };
  }

  /**
   * Records that a viewer saw items. Resolves when durable and applied.
   *
   * It goes before bulk writes, because a reader waits for it. Viewers who were erased meanwhile are skipped.
   * @throws ServiceError `write_queue_full`, `store_unavailable`, `state_full`
   */
  async impressions(view: View): Promise<void> {
    this.ensureRoom(1);
    const changes = new ChangeBatch(this.context.capacity);
    const priority = this.views.record(view, this.clock.now(), changes);
    if (priority !== undefined) await this.stored(changes, priority, 1);
  }

  /**
   * Queues one batch: the only way of records to the store. Resolves when it is queued.
   *
   * Within its account a batch is prepared after the earlier ones, and alone, because each builds on queued versions and
   * may wait for the store. Reading, preparing and queueing begin again if a commit fails meanwhile.
   * @throws ServiceError `write_queue_full`, `store_unavailable`, always before any key is assigned
   */
  async write(write: Write): Promise<Queued> {
    const { account = THE_SERVICE, records, earlier = [], beside_others } = write;
    if (this.store.is_silent) throw silent();
    return this.turns.take(account, async () => {
      if (records !== undefined && !this.hasRoom(records)) await Promise.allSettled(earlier);
      if (this.store.is_silent) throw silent();
      const queue = () => this.queue(write, account);
      return beside_others ? queue() : this.turns.exclusively(queue);
    });
  }

  private async queue(write: Write, account: string): Promise<Queued> {
    const { records, after_all, reads, begin, prepare, cursor } = write;
    const { context } = this;
    if (after_all) await this.allApplied();
    for (;;) {
      const { failures } = context;
      await begin?.();
      const latest = await context.read({ ...NOTHING, ...reads?.() });
      if (failures !== context.failures) continue;
      if (records !== undefined) this.ensureRoom(records);
      const batch = new WriteBatch(context, latest, this.clock.now());
      if (prepare(batch) === false) continue;
      const { onApplied, is_barrier, length } = batch;
      const stored = this.stored(batch, 'bulk', records ?? length, cursor?.());
      const durable = this.turns.counted(account, length, stored).then(() => {
        for (const callback of onApplied) callback();
      });
      if (is_barrier) await Promise.allSettled([durable]);
      return { durable };
    }
  }

  /** Resolves when all queued changes are applied, or have failed. */
  private allApplied(): Promise<void> {
    return this.store.submit([], 'bulk', 0);
  }

  /** Queues slices of a body. Resolves when all of them are durable and applied. */
  private async inSlices<T>(
    records: readonly T[],
    long: boolean,
    queue: (slice: Slice<T> & { earlier: readonly Promise<void>[] }) => Promise<Queued>,
  ): Promise<void> {
    const earlier: Promise<void>[] = [];
    try {
      for (const { begins, ...slice } of this.throttle.slices(records, long)) {
        if (begins !== undefined) await begins;
        const { durable } = await queue({ ...slice, earlier });
        durable.catch(() => {});
        earlier.push(durable);
      }
    } finally {
      await Promise.allSettled(earlier);
    }
    await Promise.all(earlier);
  }

  /** Resolves when the changes are durable and applied. Until then their room is reserved. */
  private stored(
    { changes, amounts }: ChangeBatch,
    priority: Priority,
    records: number,
    cursor?: ConnectorCursor,
  ): Promise<void> {
    this.capacity.reserve(amounts);
    return this.store
      .submit(changes, priority, records, cursor)
      .finally(() => this.capacity.release(amounts));
  }

  /** Whether this many records may be queued now. Always true for an empty queue. */
  hasRoom(records: number): boolean {
    const waiting = this.store.queued_records;
    return waiting === 0 || waiting + records <= this.write_queue;
  }

  /** @throws ServiceError `write_queue_full`, `store_unavailable`, always before any key is assigned */
  ensureRoom(records: number): void {
    if (this.store.is_silent) throw silent();
    if (!this.hasRoom(records)) throw queueFull(this.store.queued_records);
  }
}

function entryOf(given: unknown, index: number, outcome: Outcome): RecordEntry[] {
  const { kind, record } = (given ?? {}) as Partial<ConnectorRecord>;
  if (kind !== undefined && Object.hasOwn(CONNECTOR_KINDS, kind))
    return parseAll(CONNECTOR_KINDS[kind], [record], index, outcome);
  const message = `must be one of ${CONNECTOR_RECORD_KINDS.join(', ')}, not '${textOf(kind)}'`;
  outcome.reject(index, [{ path: '/kind', message }]);
  return [];
}
