import type { Clock } from '../clock.ts';
import { invalidValue, isStateFull } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { FollowListRecord } from '../model/records/index.ts';
import type { Preferences } from '../model/records/preferences.ts';
import type { ListEdit } from '../model/records/user-list.ts';
import { CONNECTOR_RECORD_KINDS, type ConnectorRecord } from '../plugin/connector.ts';
import { textOf } from '../plugin/text-of.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import type { IngestContext } from './context.ts';
import {
  addList,
  type Comparison,
  compareList as compareFollows,
  endComparison,
  type FollowListResult,
  unnamedUsers,
} from './follow-lists.ts';
import { IN_ORDER_KINDS } from './in-order.ts';
import { inTurns } from './in-turns.ts';
import type { IngestThrottle } from './ingest-throttle.ts';
import { type IngestResult, Outcome } from './outcome.ts';
import { addPreferences, type PreferencesRecord } from './prepare-preferences.ts';
import {
  BODY_KINDS,
  type BodyKind,
  CONNECTOR_KINDS,
  isFollowList,
  type PreparedRecord,
  parseAll,
  prepareAll,
  type RecordEntry,
  type RecordKind,
  readsOf,
} from './record-kinds.ts';
import type { Slice } from './slices.ts';
import { ChangeBatch } from './state-capacity.ts';
import { addListEdit, compareList, type ListResult, roomFor } from './user-lists.ts';
import type { Queued, Write, WriteQueue } from './write-queue.ts';
import { THE_SERVICE } from './write-turns.ts';

export interface PreferencesResult {
  preferences: Preferences;
  is_changed: boolean;
}

/** The number of queued lists of a user from which the next one waits: each lookup of a follow searches all of them. */
const QUEUED_LISTS_MAX = 8;

/**
 * Ingests records: parses them, prepares changes, and gives them to a queue, which stores and applies them, or for a dry
 * run only remembers them.
 *
 * Bodies are processed in slices, with at least one turn of the event loop between them. Every slice is one `write`.
 */
export class RecordIngest {
  constructor(
    readonly context: IngestContext,
    readonly queue: WriteQueue,
    readonly throttle: IngestThrottle,
    protected readonly clock: Clock,
  ) {}

  /**
   * Ingests records of one kind. Resolves when all accepted ones are durable and applied.
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
   * Ingests one record, which was parsed. Resolves when it is durable and applied.
   * @returns warnings
   * @throws ServiceError `invalid_value`, `write_queue_full`, `store_unavailable`, `state_full`
   */
  async one<R>(kind: RecordKind<R>, record: R, account: string): Promise<readonly string[]> {
    let prepared: PreparedRecord = {};
    const { durable } = await this.queue.write({
      account,
      records: 1,
      reads: () => readsOf([{ kind, record }]),
      prepare: (batch) => {
        prepared = kind.prepare(record, batch);
        const { faults = [] } = prepared;
        if (faults.length > 0) throw invalidValue([...faults]);
      },
    });
    await durable;
    return prepared.warnings ?? [];
  }

  /**
   * Ingests records of all kinds in their order in one transaction, with the cursor of the connector
   * that sent them, if there is one. Resolves when they are durable and applied.
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
    const after_all = entries.some(({ kind }) => kind.after_all === true);
    const options = { account, after_all, reads: () => reads, cursor: unlessFull };
    await (await this.writeRecords(entries, outcome, options)).durable;
    return outcome.result(records.length);
  }

  /**
   * Sets or changes the preferences of a user. Resolves when they are durable and applied.
   * @returns the complete preferences, and whether anything was stored
   * @throws ServiceError `invalid_value`, `write_queue_full`, `store_unavailable`, `state_full`
   */
  async preferences(record: PreferencesRecord, account = THE_SERVICE): Promise<PreferencesResult> {
    let result: PreferencesResult | undefined;
    const { durable } = await this.queue.write({
      account,
      records: 1,
      prepare: (batch) => {
        const preferences = addPreferences(record, batch);
        result = { preferences, is_changed: batch.length > 0 };
        return true;
      },
    });
    await durable;
    return result as PreferencesResult;
  }

  private writeRecords(
    entries: readonly RecordEntry[],
    outcome: Outcome,
    options: Omit<Write, 'records' | 'prepare'>,
  ): Promise<Queued> {
    return this.queue.write({
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
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full`, without any change to follows
   */
  async followList(record: FollowListRecord, account = THE_SERVICE): Promise<FollowListResult> {
    const { context } = this;
    const is_long = record.target_user_ids.length > LIMITS.ingest_slice_records;
    const began_at = is_long ? await this.queue.turns.take(account, async () => this.clock.now()) : undefined;
    if (is_long) await this.nameListed([record], account);
    let comparison: Comparison | undefined;
    let result: FollowListResult | undefined;
    const queued = this.queue.write({
      account,
      begin: async () => {
        if (comparison !== undefined) endComparison(comparison, context);
        const now = began_at ?? this.clock.now();
        const user = context.user_keys.find(record.user_id);
        if (context.queued_changes.listsOf(user) >= QUEUED_LISTS_MAX) await this.queue.allApplied();
        comparison = await inTurns(compareFollows(record, now, context));
      },
      prepare: (batch) => {
        const compared = comparison as Comparison;
        batch.applied_at = compared.applied_at;
        this.queue.ensureRoom(1 + compared.unnamed.length);
        result = addList(compared, batch);
        return result !== undefined;
      },
    });
    const { durable } = await queued.finally(() => comparison && endComparison(comparison, context));
    await durable;
    return result as FollowListResult;
  }

  /**
   * Replaces, changes or deletes a list of users. Resolves when it is durable and applied.
   *
   * It is compared with the list in slices, so that a long one does not block the event loop.
   * @throws ServiceError `not_found`, `invalid_value`, `state_full`, `write_queue_full`, `store_unavailable`; without any
   * change to the list
   */
  async userList(edit: ListEdit, account = THE_SERVICE): Promise<ListResult> {
    const { context } = this;
    const compare = () => inTurns(compareList(edit, context));
    let difference = await compare();
    if (difference.unnamed.size > LIMITS.ingest_slice_records) {
      new ChangeBatch(context.capacity).require(roomFor(edit, difference, context));
      await this.nameUsers([...difference.unnamed], account);
    }
    let result: ListResult = { added: 0, removed: 0 };
    const { durable } = await this.queue.write({
      account,
      after_all: true,
      begin: async () => {
        difference = await compare();
      },
      prepare: (batch) => {
        this.queue.ensureRoom(1 + difference.unnamed.size);
        result = addListEdit(edit, difference, batch);
        return true;
      },
    });
    await durable;
    return result;
  }

  /** Names the users of long lists, in slices as of a body, so that a list itself is one row. */
  private async nameListed(records: readonly FollowListRecord[], account: string): Promise<void> {
    const { context } = this;
    const { estimates } = context;
    const ids: string[] = [];
    for (const record of records) {
      const unnamed = await inTurns(unnamedUsers(record, this.clock.now(), context));
      const estimate = estimates.followList(record.user_id, unnamed.needed, unnamed.ids.length);
      new ChangeBatch(context.capacity).require(estimate);
      for (const id of unnamed.ids) ids.push(id);
    }
    await this.nameUsers(ids, account);
  }

  private async nameUsers(ids: readonly string[], account: string): Promise<void> {
    const { estimates, user_keys } = this.context;
    if (ids.length <= LIMITS.ingest_slice_records) return;
    await this.inSlices(ids, false, ({ slice, earlier }) =>
      this.queue.write({
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
}

function entryOf(given: unknown, index: number, outcome: Outcome): RecordEntry[] {
  const { kind, record, in_order } = (given ?? {}) as Partial<ConnectorRecord>;
  if (kind !== undefined && Object.hasOwn(CONNECTOR_KINDS, kind))
    return parseAll((in_order ? IN_ORDER_KINDS : CONNECTOR_KINDS)[kind], [record], index, outcome);
  const message = `must be one of ${CONNECTOR_RECORD_KINDS.join(', ')}, not '${textOf(kind)}'`;
  outcome.reject(index, [{ path: '/kind', message }]);
  return [];
}
