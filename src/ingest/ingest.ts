import type { Clock } from '../clock.ts';
import type { ConnectorRecord } from '../plugin/index.ts';
import { applyChange } from '../state/apply.ts';
import { type Change, type ItemContent, NONE, type UserContent } from '../state/change.ts';
import { READ_AHEAD, readAhead } from '../state/read-ahead.ts';
import type { State } from '../state/state.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import { queueFull, silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import type { Priority } from '../store/submission-queue.ts';
import { Deletions } from './deletions.ts';
import { EventActs, type EventSlice, eventOf } from './event-acts.ts';
import { EventBook } from './event-book.ts';
import { KeyAllocator } from './key-allocator.ts';
import { needsLanguage } from './merged-content.ts';
import { newEvents } from './new-events.ts';
import { newVersions, type PrepareVersion, type Versioned } from './new-versions.ts';
import { OrderedBatch } from './ordered-batch.ts';
import { type IngestResult, Outcome } from './outcome.ts';
import { Pace } from './pace.ts';
import { type Numbered, parseAll } from './parse-all.ts';
import { type Base, Preparer } from './prepare.ts';
import { type ActRecord, prepareAct, prepareItem, prepareUser } from './prepare-record.ts';
import { QueuedChanges } from './queued-changes.ts';
import { warningsAbout } from './record-warnings.ts';
import {
  type FollowListRecord,
  type ItemRecord,
  type LanguageDetector,
  parseAct,
  parseBlock,
  parseFollow,
  parseItem,
  parseUser,
  type UserRecord,
} from './records/index.ts';
import { type ErasureFollowUp, type RemovalOptions, Removals, type Removed } from './removals.ts';
import { ChangeBatch, StateCapacity } from './state-capacity.ts';
import { readItems, readUsers } from './stored-versions.ts';
import { TrendKeeper } from './trend-keeper.ts';
import { Versions } from './versions.ts';
import { type View, Views } from './views.ts';
import { type Prepared, type Queued, runAll, type Workbench } from './workbench.ts';

/** The numbers of follows that a whole list added and removed. */
export interface FollowListResult {
  added: number;
  removed: number;
  warnings: string[];
}

export type RecordKind = 'items' | 'users' | 'follows' | 'blocks' | 'interactions';

/**
 * Ingests records: parses them, prepares changes, stores and applies them, then acknowledges.
 *
 * Bodies are processed in slices, with at least one turn of the event loop between them. Slices of items and users run
 * one at a time, because new versions build on the previous ones.
 */
export class Ingest {
  readonly trend: TrendKeeper;
  readonly views: Views;
  private readonly user_keys: KeyAllocator;
  private readonly item_keys: KeyAllocator;
  private readonly item_versions: Versions<Base<ItemContent>>;
  private readonly user_versions: Versions<UserContent>;
  private readonly queued_changes = new QueuedChanges();
  readonly deletions: Deletions;
  private readonly removals: Removals;
  /** Pages report to it that a reader waits. */
  readonly pace = new Pace();
  readonly preparer: Preparer;
  private readonly events: EventBook;
  readonly event_acts: EventActs;
  readonly capacity: StateCapacity;
  /** Resolves when the previous slice of items or users has been queued. */
  private versioning: Promise<void> = Promise.resolve();

  constructor(
    private readonly state: State,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly languages: LanguageDetector,
    private readonly write_queue: number,
  ) {
    this.trend = new TrendKeeper(state, store);
    this.user_keys = new KeyAllocator('user', state.users.names);
    this.item_keys = new KeyAllocator('item', state.items.names);
    this.item_versions = new Versions((ids) => readItems(state, store, ids));
    this.user_versions = new Versions((ids) => readUsers(state, store, ids));
    this.preparer = new Preparer(state, this.user_keys, this.item_keys, languages, this.queued_changes);
    this.events = new EventBook(state.setup.hash_key, store, this.user_keys);
    const { user_keys, item_keys, queued_changes, events, preparer } = this;
    this.event_acts = new EventActs(state, user_keys, item_keys, queued_changes, events, preparer);
    this.views = new Views(this.user_keys, state, this.preparer.needs);
    this.capacity = new StateCapacity(state);
    this.deletions = new Deletions(state, user_keys);
    this.removals = new Removals(state, clock, this);
  }

  /** Called by the store with durable changes in `seq` order. The only caller of `applyChange` after the start. */
  committed(changes: readonly Change[]): void {
    for (const [index, change] of changes.entries()) {
      if (index % READ_AHEAD === 0) readAhead(this.state, changes, index);
      applyChange(this.state, change);
      this.queued_changes.applied(change);
      this.deletions.applied(change);
      this.trend.applied(change);
      if (change.kind !== 'name') continue;
      const keys = change.space === 'user' ? this.user_keys : this.item_keys;
      keys.named(change.id, change.key);
    }
  }

  /** Called by the store when a commit failed. All queued changes are lost. */
  failed(): void {
    this.user_keys.reset();
    this.item_keys.reset();
    this.item_versions.reset();
    this.user_versions.reset();
    this.events.versions.reset();
    this.queued_changes.reset();
    this.deletions.reset();
    this.preparer.act_times.reset();
  }

  /**
   * Ingests records of one kind. Resolves when all accepted ones are durable and applied.
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if some of the records found no room
   */
  async ingest(kind: RecordKind, records: readonly unknown[]): Promise<IngestResult> {
    const outcome = new Outcome();
    const durable: Promise<void>[] = [];
    try {
      const long = kind === 'items' || kind === 'users';
      for (const { start, slice, begins } of this.pace.slices(records, long)) {
        if (begins !== undefined) await begins;
        // A body must not be refused because its own slices fill the queue.
        if (!this.hasRoom(slice.length)) await Promise.allSettled(durable);
        const queued = await this.queue(kind, slice, start, outcome);
        queued.durable.catch(() => {});
        durable.push(queued.durable);
      }
    } finally {
      await Promise.allSettled(durable);
    }
    await Promise.all(durable);
    return outcome.result();
  }

  /**
   * Replaces the whole list of a user's follows at once. Resolves when it is durable and applied.
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full`, without any change
   */
  async followList(sent: FollowListRecord): Promise<FollowListResult> {
    const { follow_lists } = this.preparer;
    const applied_at = this.clock.now();
    const outdated = this.deletions.outdatedAct(sent, applied_at);
    if (outdated !== undefined) return { added: 0, removed: 0, warnings: [outdated] };
    const { record, warnings } = this.deletions.currentList(sent, applied_at);
    const plan = follow_lists.plan(record, applied_at);
    this.ensureRoom(plan.row_count);
    const changes = new ChangeBatch(this.capacity);
    if (plan.row_count > 0) follow_lists.write(record, plan, applied_at, changes);
    await this.submit({ changes }).durable;
    return {
      added: plan.added.length,
      removed: plan.removed.length,
      warnings: [...plan.warnings, ...warnings],
    };
  }

  /**
   * Records that a viewer saw items. Resolves when durable and applied.
   *
   * It goes before bulk writes, because a reader waits for it. Viewers who were erased meanwhile are skipped.
   * @throws ServiceError `write_queue_full`, `store_unavailable`, `state_full`
   */
  async impressions(view: View): Promise<void> {
    this.ensureRoom(1);
    const changes = new ChangeBatch(this.capacity);
    const priority = this.views.record(view, this.clock.now(), changes);
    if (priority !== undefined) await this.stored(changes, priority, 1);
  }

  /**
   * Queues changes that the caller prepares, such as an import: records of all kinds in order, each with its own time.
   */
  prepared(prepare: (bench: Workbench) => Promise<Queued>): Promise<Queued> {
    const { preparer, user_keys, item_keys, item_versions, user_versions, languages, queued_changes } = this;
    const { events, event_acts, deletions } = this;
    const versions = { item_versions, user_versions, events };
    const kept = {
      preparer,
      event_acts,
      user_keys,
      item_keys,
      languages,
      queued_changes,
      deletions,
      ...versions,
    };
    const submit = (prepared: Prepared) => this.submit(prepared);
    const batch = () => new ChangeBatch(this.capacity);
    return this.exclusively(() => prepare({ ...kept, submit, batch }));
  }

  /**
   * Ingests records of all kinds in their order in one transaction, with the cursor of the connector
   * that sent them, if there is one. Resolves when they are durable and applied.
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if some of the records found no room, and
   * then the cursor is not stored
   */
  async ordered(records: readonly ConnectorRecord[], cursor?: ConnectorCursor): Promise<IngestResult> {
    const batch = new OrderedBatch(this, this.removals, records, cursor);
    const now = this.clock.now();
    const queued = await this.prepared((bench) => batch.queue(bench, now));
    await queued.durable;
    return batch.result();
  }

  /**
   * Deletes an item. Resolves when that is durable and applied.
   * @throws ServiceError `not_found` if there is no item and no time was given
   */
  deleteItem(item_id: string, options: RemovalOptions = {}): Promise<Removed> {
    return this.removals.item(item_id, options);
  }

  /**
   * Erases a user. Resolves when that is durable and applied.
   * @throws ServiceError `not_found` if there is no user and no time was given
   */
  deleteUser(user_id: string, options: RemovalOptions = {}, follow_up?: ErasureFollowUp): Promise<Removed> {
    return this.removals.user(user_id, options, follow_up);
  }

  /** Queues one slice of a body. Resolves when it is queued, and its `durable` when it is applied. */
  private queue(
    kind: RecordKind,
    records: readonly unknown[],
    offset: number,
    outcome: Outcome,
  ): Promise<Queued> {
    switch (kind) {
      case 'items':
        return this.exclusively(() =>
          this.queueItems(parseAll(parseItem, records, offset, outcome), outcome),
        );
      case 'users':
        return this.exclusively(() =>
          this.queueUsers(parseAll(parseUser, records, offset, outcome), outcome),
        );
      case 'follows':
        return this.queueEvents(parseAll(parseFollow, records, offset, outcome), outcome);
      case 'blocks':
        return this.queueEvents(parseAll(parseBlock, records, offset, outcome), outcome);
      case 'interactions':
        return this.queueEvents(parseAll(parseAct, records, offset, outcome), outcome);
    }
  }

  /** Reads the named events of the records first, if there are any. */
  private async queueEvents(parsed: Numbered<ActRecord>[], outcome: Outcome): Promise<Queued> {
    const names = parsed.flatMap(({ record }) => eventOf(record) ?? []);
    if (names.length === 0) return this.queueActs(parsed, outcome, () => undefined);
    return this.exclusively(() =>
      this.events.versions.withLatest(this.events.idsOf(names), (latest) =>
        this.queueActs(parsed, outcome, latest),
      ),
    );
  }

  private queueActs(parsed: Numbered<ActRecord>[], outcome: Outcome, latest: EventSlice['latest']): Queued {
    this.ensureRoom(parsed.length);
    const applied_at = this.clock.now();
    const changes = new ChangeBatch(this.capacity);
    const slice: EventSlice = { latest, applied_at, changes, onApplied: [] };
    const isDescribed = (item_id: string) => this.itemExists(item_id);
    newEvents(
      this.deletions.currentActs(parsed, outcome, applied_at),
      outcome,
      (record) => prepareAct(this, record, slice),
      (record) => warningsAbout(record, applied_at, isDescribed),
    );
    return this.submit({ changes, records: parsed.length, onApplied: () => runAll(slice.onApplied) });
  }

  private async queueItems(parsed: Numbered<ItemRecord>[], outcome: Outcome): Promise<Queued> {
    if (parsed.some(({ record }) => needsLanguage(record))) await this.languages.load();
    const entries = parsed.map((entry) => ({ ...entry, id: entry.record.item_id }));
    return this.queueVersions(entries, this.item_versions, outcome, (...given) =>
      prepareItem(this, ...given),
    );
  }

  private queueUsers(parsed: Numbered<UserRecord>[], outcome: Outcome): Promise<Queued> {
    const entries = parsed.map((entry) => ({ ...entry, id: entry.record.user_id }));
    return this.queueVersions(entries, this.user_versions, outcome, (...given) =>
      prepareUser(this, ...given),
    );
  }

  private queueVersions<R, V>(
    entries: readonly Versioned<R>[],
    versions: Versions<V>,
    outcome: Outcome,
    prepare: PrepareVersion<R, V>,
  ): Promise<Queued> {
    const ids = entries.map(({ id }) => id);
    return versions.withLatest(ids, (latest) => {
      this.ensureRoom(entries.length);
      const changes = new ChangeBatch(this.capacity);
      return this.submit(newVersions(entries, versions, changes, latest, this.clock.now(), outcome, prepare));
    });
  }

  /** Whether the item is described, or its description is queued. */
  itemExists(item_id: string): boolean {
    const pending = this.item_versions.get(item_id);
    if (pending !== undefined) return pending.content !== undefined;
    const item = this.state.items.names.find(item_id);
    return item !== NONE && this.state.items.described(item);
  }

  private submit({ changes, records = changes.length, onApplied, cursor }: Prepared): Queued {
    const durable = this.stored(changes, 'bulk', records, cursor);
    return { durable: onApplied === undefined ? durable : durable.then(onApplied) };
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

  /** Runs preparations one after another, because each builds on queued versions and may wait for the store. */
  private exclusively(prepare: () => Promise<Queued>): Promise<Queued> {
    if (this.store.is_silent) return Promise.reject(silent());
    const queued = this.versioning.then(prepare);
    this.versioning = Promise.allSettled([queued]).then(() => {});
    return queued;
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
