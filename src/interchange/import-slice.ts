import type { IngestContext, Reads } from '../ingest/context.ts';
import { addEvent, eventOf, isNamed, removeEvent } from '../ingest/event-acts.ts';
import { addLabel } from '../ingest/labels.ts';
import { needsLanguage } from '../ingest/merged-content.ts';
import { addAct, addRelation, capacityOfAct } from '../ingest/prepare-acts.ts';
import {
  addCounters,
  addUser,
  missingOfNewItem,
  nextItem,
  nextUser,
  otherLength,
} from '../ingest/prepare-versions.ts';
import type { ItemVersion } from '../ingest/stored-versions.ts';
import { addWalletEvent } from '../ingest/wallet-events.ts';
import { prepareToken } from '../ingest/wallet-kinds.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import { COUNTERS, clamped } from '../model/acts.ts';
import { type Key, NONE } from '../model/key.ts';
import type { EngagementRecord, ItemCounters } from '../model/records/index.ts';
import { describeFaults } from '../model/values/refusal.ts';
import type { State } from '../state/state.ts';
import type { DataClock } from './data-clock.ts';
import type { DeferredRecords, Taken } from './deferred-records.ts';
import type { FirstSeen } from './first-seen.ts';
import type { ImportedItem } from './formats.ts';
import { actIdentity, countIdentity, relationIdentity } from './identities.ts';
import type { LateCounts } from './late-counts.ts';
import { isOppositeAct, isOppositeRelation } from './opposites.ts';
import type { ShownPages } from './shown-pages.ts';

type Of<K extends Taken['kind']> = Extract<Taken, { kind: K }>;

/** State that an import keeps between slices. */
export interface ImportProgress {
  readonly state: State;
  readonly clock: DataClock;
  readonly deferred: DeferredRecords;
  readonly late: LateCounts;
  readonly first_seen: FirstSeen;
  readonly shown: ShownPages;
}

/** What must be read before the records are prepared. */
export function readsOf(records: readonly Taken[], context: IngestContext): Reads {
  const items = records.flatMap((taken) => (taken.kind === 'items' ? taken.record : []));
  return {
    items: records.flatMap((taken) => (changesItem(taken, context) ? taken.record.item_id : [])),
    users: records.flatMap((taken) => (taken.kind === 'users' ? taken.record.user_id : [])),
    events: records.flatMap((taken) => eventOf(taken.record) ?? []),
    erased: [],
    language: items.some(needsLanguage),
  };
}

/** Whether a record builds on the version of its item. An event does if it is older than its item. */
function changesItem(taken: Taken, context: IngestContext): taken is Of<'items' | 'tokens' | 'events'> {
  if (taken.kind !== 'events') return taken.kind === 'items' || taken.kind === 'tokens';
  const { item_id, timestamp } = taken.record;
  return (context.createdAt(item_id) ?? 0) > timestamp;
}

/** Some hundred records of an import that become changes together. */
export class ImportSlice {
  /** @param defers whether records that only their order distinguishes from known data wait for the end */
  constructor(
    private readonly progress: ImportProgress,
    private readonly batch: WriteBatch,
    private readonly defers: boolean,
  ) {
    batch.applied_at = progress.clock.now;
  }

  take(taken: Taken): void {
    const { clock } = this.progress;
    if (taken.time !== undefined) {
      // An act that is identified by its time would be another act with another time.
      if (clock.isFarAhead(taken.time) && this.isIdentifiedByTime(taken)) {
        taken.report?.reject(taken.line, "timestamp: lies ahead of the service's clock");
        return;
      }
      clock.meet(taken.time);
    }
    this.batch.applied_at = clock.now;
    const outdated = this.outdatedByDeletion(taken);
    if (outdated !== undefined) {
      taken.report?.accept(false);
      taken.report?.warn([outdated], taken.line);
      return;
    }
    switch (taken.kind) {
      case 'items':
        this.item(taken);
        break;
      case 'users':
        this.user(taken);
        break;
      case 'follows':
      case 'blocks':
        this.relation(taken);
        break;
      case 'engagement':
        this.engagement(taken);
        break;
      case 'interactions':
        this.interaction(taken);
        break;
      case 'event_removals':
        this.counted(taken, () => void removeEvent(taken.record, this.batch));
        break;
      case 'labels':
        this.label(taken);
        break;
      case 'impressions':
        this.impression(taken);
        break;
      case 'events':
        this.counted(taken, () => void addWalletEvent(taken.record, this.batch, true));
        break;
      case 'tokens':
        this.token(taken);
        break;
    }
  }

  /** Applies counters of an item that waited for the end. Those without a time get the data's time. */
  takeCounters(item: Key, counters: ItemCounters): void {
    const { updated_at, ...counts } = counters;
    const { names } = this.progress.state.items;
    const item_id = names.id(names.ordinal(item));
    const record = { item_id, timestamp: updated_at ?? this.now, ...counts };
    if (updated_at !== undefined || this.isContradicted(record)) {
      this.take({ kind: 'engagement', record, time: record.timestamp, line: 0, report: undefined });
      return;
    }
    this.batch.require(this.batch.context.estimates.item(item_id, undefined, undefined, counters));
    addCounters(item, counters, this.batch);
  }

  private get now(): number {
    return this.batch.applied_at;
  }

  /** Why a record comes after the deletion of its subject; undefined if it counts. */
  private outdatedByDeletion({ kind, record, report }: Taken): string | undefined {
    const { deletions } = this.batch.context;
    switch (kind) {
      case 'items': {
        // An undescribed item has no version that could be outdated.
        if (record.completeness === 'undescribed') return undefined;
        // Only acts created the item, and acts revive nothing.
        if (
          report === undefined &&
          record.completeness === 'bare' &&
          deletions.isDeleted(record.item_id, this.now)
        )
          return `item '${record.item_id}' was deleted`;
        return deletions.outdatedItem(record, this.now);
      }
      case 'users':
        return deletions.outdatedUser(record, this.batch.latest.user(record.user_id) !== undefined, this.now);
      case 'engagement':
      case 'labels':
      case 'tokens':
        return undefined;
      case 'events':
        return deletions.outdatedEvent(record, this.now);
      default:
        return deletions.outdatedAct(record, this.now);
    }
  }

  /** Runs a preparation and counts whether it made a change. */
  private counted({ report }: Taken, prepare: () => void): void {
    const before = this.batch.length;
    prepare();
    report?.accept(this.batch.length > before);
  }

  private item(taken: Of<'items'>): void {
    const { first_seen, deferred } = this.progress;
    const { batch } = this;
    const { estimates, deletions } = batch.context;
    const { item_id, completeness } = taken.record;
    const has_date = taken.record.content.created_at !== undefined;
    const former = batch.latest.item(item_id);
    if (completeness === 'rejected' && former === undefined) {
      first_seen.reject(taken.record);
      return;
    }
    const record = former === undefined ? this.dated(first_seen.described(taken.record)) : taken.record;
    const faults = [...missingOfNewItem(record, former, completeness), ...otherLength(record, batch.context)];
    if (faults.length > 0) {
      taken.report?.reject(taken.line, describeFaults(faults));
      this.item({ ...taken, record: restOfItem(record), report: undefined });
      return;
    }
    const next = completeness === 'undescribed' ? undefined : this.nextItem(record, former);
    batch.require(estimates.item(item_id, next?.author, next?.content, undefined));
    const before = batch.length;
    const item = batch.itemKey(item_id);
    if (completeness === 'undescribed') first_seen.leaveUndescribed(item);
    else if (former === undefined || has_date) first_seen.date(item, has_date);
    const identity = `item ${item_id}`;
    const waits = this.waits(identity, former, next);
    if (next !== undefined && !waits) {
      batch.setItem(item_id, next);
      if (record.revive) deletions.lift('item', item_id, batch);
    }
    const { counters, ...description } = record;
    const counted = counters !== undefined && this.keepCounters(item, item_id, counters);
    if (waits) deferred.defer(identity, { ...taken, record: description });
    else taken.report?.accept(batch.length > before || counted);
  }

  /** A new item with a time, if only until its first act is known. */
  private dated(record: ImportedItem): ImportedItem {
    const { completeness, content } = record;
    if (content.created_at !== undefined || completeness === 'undescribed') return record;
    return { ...record, content: { ...content, created_at: this.progress.clock.assumed } };
  }

  /** Whether a record is another version of a known item or user, or follows a deferred record. */
  private waits(identity: string, former: object | undefined, next: object | undefined): boolean {
    if (!this.defers || former === undefined) return false;
    return next !== undefined || this.progress.deferred.has(identity);
  }

  private nextItem(record: ImportedItem, former: ItemVersion | undefined): ItemVersion | undefined {
    // An export without the author says nothing new about an item that has a description here.
    if (record.completeness === 'bare' && former !== undefined) return undefined;
    return nextItem(record, former, this.batch.context.languages);
  }

  /** Keeps counters for the end of the import. @returns whether they may change something then */
  private keepCounters(item: Key, item_id: string, { updated_at, ...counts }: ItemCounters): boolean {
    const { clock, late } = this.progress;
    late.add(item, { ...counts, updated_at: updated_at === undefined ? undefined : clock.past(updated_at) });
    return this.differs(
      item_id,
      counts,
      (counted_at) => updated_at === undefined || clamped(updated_at, updated_at) >= counted_at,
    );
  }

  private user(taken: Of<'users'>): void {
    const { record } = taken;
    const former = this.batch.latest.user(record.user_id);
    const next = nextUser(record, former);
    const identity = `user ${record.user_id}`;
    if (this.waits(identity, former, next)) this.progress.deferred.defer(identity, taken);
    else this.counted(taken, () => addUser(record, this.batch, next));
  }

  private relation(taken: Of<'follows' | 'blocks'>): void {
    const { state, clock, deferred } = this.progress;
    const timestamp = clock.past(taken.record.timestamp);
    const record = { ...taken.record, timestamp };
    const identity = relationIdentity(record);
    if (this.defers && (isOppositeRelation(state, record) || deferred.has(identity))) {
      deferred.defer(identity, taken);
      return;
    }
    this.counted(taken, () => {
      if (isNamed(record)) addEvent(record, this.batch);
      else addRelation(record, this.batch);
    });
  }

  private label({ record, report, line }: Of<'labels'>): void {
    const before = this.batch.length;
    const { faults = [], warnings = [] } = addLabel(record, this.batch);
    if (faults.length > 0) report?.reject(line, describeFaults(faults));
    else report?.accept(this.batch.length > before);
    report?.warn(warnings, line);
  }

  private engagement(taken: Of<'engagement'>): void {
    const { record } = taken;
    if (this.defers && this.isContradicted(record)) {
      this.progress.deferred.defer(countIdentity(record), taken);
      return;
    }
    const { item_id, timestamp, ...counts } = record;
    this.counted(taken, () => {
      const counters = { ...counts, updated_at: this.progress.clock.past(timestamp) };
      this.batch.require(this.batch.context.estimates.item(item_id, undefined, undefined, counters));
      addCounters(this.batch.itemKey(item_id), counters, this.batch);
    });
  }

  /** Whether other counts of the same time are known or deferred. */
  private isContradicted(record: EngagementRecord): boolean {
    const { item_id, timestamp, ...counts } = record;
    if (this.progress.deferred.has(countIdentity(record))) return true;
    if (this.progress.state.items.names.find(item_id) === NONE) return false;
    return this.differs(item_id, counts, (counted_at) => counted_at === clamped(timestamp, timestamp));
  }

  /** Whether a count differs from the known one, among those with a time that `concerns`. */
  private differs(
    item_id: string,
    counts: Omit<ItemCounters, 'updated_at'>,
    concerns: (counted_at: number) => boolean,
  ): boolean {
    const { items } = this.progress.state;
    const item = items.names.find(item_id);
    if (item === NONE) return true;
    return COUNTERS.some((counter) => {
      const counted_at = items.counted_at(item, counter);
      if (counts[counter] === undefined || !concerns(counted_at)) return false;
      return counted_at === 0 || counts[counter] !== items.source(item, counter);
    });
  }

  private interaction(taken: Of<'interactions'>): void {
    const { state, clock, deferred, first_seen } = this.progress;
    const { batch } = this;
    const own_time = this.isIdentifiedByTime(taken) ? taken.record.timestamp : undefined;
    const timestamp = own_time ?? clock.past(taken.record.timestamp);
    const record = timestamp === undefined ? { ...taken.record, timestamp } : taken.record;
    batch.require(capacityOfAct(record.user_id, record.item_id, record, batch));
    const before = this.batch.length;
    const user = batch.userKey(record.user_id);
    const item = batch.itemKey(record.item_id);
    const ordinal = state.items.names.ordinal(item);
    if (ordinal === NONE || !state.items.described(ordinal) || first_seen.isUndated(item))
      first_seen.note(item, timestamp ?? this.now);
    const opposite = this.defers && isOppositeAct(state, record, state.users.names.ordinal(user), ordinal);
    if (opposite || (this.defers && deferred.size > 0 && deferred.has(actIdentity(record)))) {
      deferred.defer(actIdentity(record), taken);
      return;
    }
    if (isNamed(record)) addEvent(record, batch);
    else addAct(user, item, record, batch);
    taken.report?.accept(this.batch.length > before);
  }

  /** Names the viewer, because an export has only known users. */
  private impression({ record, report }: Of<'impressions'>): void {
    const { batch } = this;
    batch.require(batch.context.estimates.names([record.user_id], [record.item_id]));
    batch.userKey(record.user_id);
    this.progress.shown.add(record, batch.itemKey(record.item_id), report, this.now);
  }

  private token({ record, report, line }: Of<'tokens'>): void {
    const before = this.batch.length;
    const { faults = [], warnings = [] } = prepareToken(record, this.batch);
    if (faults.length > 0) {
      report?.reject(line, describeFaults(faults));
      return;
    }
    report?.accept(this.batch.length > before);
    report?.warn(warnings, line);
  }

  /** Whether only its time distinguishes an act from others. */
  private isIdentifiedByTime(taken: Taken): boolean {
    if (taken.kind === 'events') return true;
    if (taken.kind !== 'interactions') return false;
    const { event_type, event_id = '' } = taken.record;
    const { vocabulary } = this.progress.state;
    return event_id === '' && vocabulary.isIdentifiedByTime(vocabulary.code(event_type));
  }
}

/** What a rejected description still decides (`Format.rest`). */
function restOfItem({ item_id, content: { hidden } }: ImportedItem): ImportedItem {
  return { item_id, content: hidden === true ? { hidden } : {}, completeness: 'rejected' };
}
