import type { Clock } from '../clock.ts';
import { isStateFull } from '../errors.ts';
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
import { FollowListIntake } from './follow-list-intake.ts';
import type { FollowListResult } from './follow-lists.ts';
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
import type { Slice } from './slices.ts';
import { ChangeBatch, StateCapacity } from './state-capacity.ts';
import { readItems, readUsers } from './stored-versions.ts';
import { TrendKeeper } from './trend-keeper.ts';
import { Versions } from './versions.ts';
import { type View, Views } from './views.ts';
import { type Prepared, type Queued, runAll, type Workbench } from './workbench.ts';
import { THE_SERVICE, WriteTurns } from './write-turns.ts';

export type RecordKind = 'items' | 'users' | 'follows' | 'blocks' | 'interactions';

/** A body of records that is ingested in slices. */
interface Body {
  kind: RecordKind;
  account: string;
  outcome: Outcome;
}

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
  readonly turns = new WriteTurns();
  private readonly list_intake: FollowListIntake;

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
    this.list_intake = new FollowListIntake(this, clock, this.user_keys, queued_changes);
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
   * @param account has a share of the write queue
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full` if some of the records found no room
   */
  async ingest(kind: RecordKind, records: readonly unknown[], account = THE_SERVICE): Promise<IngestResult> {
    const body = { kind, account, outcome: new Outcome() };
    const long = kind === 'items' || kind === 'users';
    await this.inSlices(records, long, account, ({ start, slice }) => this.queue(slice, start, body));
    return body.outcome.result();
  }

  /**
   * Replaces the whole list of a user's follows at once. Resolves when it is durable and applied.
   * @param account as for `ingest`
   * @throws ServiceError `write_queue_full`, `store_unavailable`; `state_full`, without any change to follows
   */
  followList(record: FollowListRecord, account = THE_SERVICE): Promise<FollowListResult> {
    return this.list_intake.replace(record, account);
  }

  /** Queues slices of a body in turn with other accounts. Resolves when all of them are durable and applied. */
  async inSlices<T>(
    records: readonly T[],
    long: boolean,
    account: string,
    queue: (slice: Slice<T>) => Promise<Queued>,
  ): Promise<void> {
    const durable: Promise<void>[] = [];
    try {
      for (const { begins, ...slice } of this.pace.slices(records, long)) {
        if (begins !== undefined) await begins;
        if (this.store.is_silent) throw silent();
        const queued = await this.turns.take(account, async () => {
          // A body must not be refused because its own slices fill the queue.
          if (!this.hasRoom(slice.slice.length)) await Promise.allSettled(durable);
          return queue(slice);
        });
        queued.durable.catch(() => {});
        durable.push(queued.durable);
      }
    } finally {
      await Promise.allSettled(durable);
    }
    await Promise.all(durable);
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
   * @param account as for `ingest`
   */
  prepared(prepare: (bench: Workbench) => Promise<Queued>, account = THE_SERVICE): Promise<Queued> {
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
    const submit = (prepared: Prepared) => this.submit(prepared, account);
    const batch = () => new ChangeBatch(this.capacity);
    if (this.store.is_silent) return Promise.reject(silent());
    return this.turns.take(account, () => this.exclusively(() => prepare({ ...kept, submit, batch })));
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
    const batch = new OrderedBatch(this, this.removals, records, cursor);
    try {
      await this.list_intake.name(batch.follow_lists, account);
    } catch (error) {
      // Each list that finds no room will be refused, and the other records are stored.
      if (!isStateFull(error)) throw error;
    }
    const now = this.clock.now();
    const queued = await this.prepared((bench) => batch.queue(bench, now), account);
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
  private queue(records: readonly unknown[], offset: number, body: Body): Promise<Queued> {
    const { kind, outcome } = body;
    switch (kind) {
      case 'items':
        return this.exclusively(() => this.queueItems(parseAll(parseItem, records, offset, outcome), body));
      case 'users':
        return this.exclusively(() => this.queueUsers(parseAll(parseUser, records, offset, outcome), body));
      case 'follows':
        return this.queueEvents(parseAll(parseFollow, records, offset, outcome), body);
      case 'blocks':
        return this.queueEvents(parseAll(parseBlock, records, offset, outcome), body);
      case 'interactions':
        return this.queueEvents(parseAll(parseAct, records, offset, outcome), body);
    }
  }

  /** Reads the named events of the records first, if there are any. */
  private async queueEvents(parsed: Numbered<ActRecord>[], body: Body): Promise<Queued> {
    const names = parsed.flatMap(({ record }) => eventOf(record) ?? []);
    if (names.length === 0) return this.queueActs(parsed, body, () => undefined);
    return this.exclusively(() =>
      this.events.versions.withLatest(this.events.idsOf(names), (latest) =>
        this.queueActs(parsed, body, latest),
      ),
    );
  }

  private queueActs(
    parsed: Numbered<ActRecord>[],
    { account, outcome }: Body,
    latest: EventSlice['latest'],
  ): Queued {
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
    const onApplied = () => runAll(slice.onApplied);
    return this.submit({ changes, records: parsed.length, onApplied }, account);
  }

  private async queueItems(parsed: Numbered<ItemRecord>[], body: Body): Promise<Queued> {
    if (parsed.some(({ record }) => needsLanguage(record))) await this.languages.load();
    const entries = parsed.map((entry) => ({ ...entry, id: entry.record.item_id }));
    return this.queueVersions(entries, this.item_versions, body, (...given) => prepareItem(this, ...given));
  }

  private queueUsers(parsed: Numbered<UserRecord>[], body: Body): Promise<Queued> {
    const entries = parsed.map((entry) => ({ ...entry, id: entry.record.user_id }));
    return this.queueVersions(entries, this.user_versions, body, (...given) => prepareUser(this, ...given));
  }

  private queueVersions<R, V>(
    entries: readonly Versioned<R>[],
    versions: Versions<V>,
    { account, outcome }: Body,
    prepare: PrepareVersion<R, V>,
  ): Promise<Queued> {
    const ids = entries.map(({ id }) => id);
    return versions.withLatest(ids, (latest) => {
      this.ensureRoom(entries.length);
      const changes = new ChangeBatch(this.capacity);
      const now = this.clock.now();
      return this.submit(newVersions(entries, versions, changes, latest, now, outcome, prepare), account);
    });
  }

  /** Whether the item is described, or its description is queued. */
  itemExists(item_id: string): boolean {
    const pending = this.item_versions.get(item_id);
    if (pending !== undefined) return pending.content !== undefined;
    const item = this.state.items.names.find(item_id);
    return item !== NONE && this.state.items.described(item);
  }

  /** Queues prepared changes of an account. Call it within its turn. */
  submit({ changes, records = changes.length, onApplied, cursor }: Prepared, account: string): Queued {
    const stored = this.stored(changes, 'bulk', records, cursor);
    const durable = this.turns.counted(account, changes.length, stored);
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
  private async exclusively(prepare: () => Promise<Queued>): Promise<Queued> {
    if (this.store.is_silent) throw silent();
    return this.turns.exclusively(prepare);
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
