import { type EventSlice, eventOf, isNamed } from '../ingest/event-acts.ts';
import type { EventFacts } from '../ingest/event-book.ts';
import { needsLanguage } from '../ingest/merged-content.ts';
import { describeFaults } from '../ingest/outcome.ts';
import { type Base, missingOfNewItem } from '../ingest/prepare.ts';
import type { EngagementRecord, InteractionRecord, ItemCounters } from '../ingest/records/index.ts';
import type { ChangeBatch } from '../ingest/state-capacity.ts';
import type { Latest } from '../ingest/versions.ts';
import { type Prepared, runAll, type Workbench } from '../ingest/workbench.ts';
import { COUNTERS, clamped, type ItemContent, type Key, NONE, type UserContent } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { DataClock } from './data-clock.ts';
import type { FirstSeen } from './first-seen.ts';
import type { ImportedItem } from './formats.ts';
import type { Held, Taken } from './held.ts';
import { actIdentity, countIdentity, relationIdentity } from './identities.ts';
import { ImpressionPages } from './impression-pages.ts';
import type { LateCounts } from './late-counts.ts';
import { isOppositeAct, isOppositeRelation } from './opposites.ts';

type Of<K extends Taken['kind']> = Extract<Taken, { kind: K }>;

/** State that an import keeps between slices. */
export interface ImportProgress {
  readonly state: State;
  readonly clock: DataClock;
  readonly held: Held;
  readonly late: LateCounts;
  readonly first_seen: FirstSeen;
}

/** Some hundred records of an import that become changes together. */
export class Slice {
  private readonly changes: ChangeBatch;
  private readonly pages: ImpressionPages;
  private readonly onApplied: (() => void)[] = [];
  private latestItem: Latest<Base<ItemContent>> = () => undefined;
  private latestUser: Latest<UserContent> = () => undefined;
  private latestEvent: Latest<EventFacts> = () => undefined;
  private failures = 0;

  /** @param holding whether records that only their order distinguishes from known data wait for the end */
  constructor(
    private readonly intake: ImportProgress,
    private readonly bench: Workbench,
    private readonly holding: boolean,
  ) {
    this.changes = bench.batch();
    this.pages = new ImpressionPages(intake.state, bench, this.changes);
  }

  /** Whether a commit has failed since `load` began, so that `load` must run again. */
  get outdated(): boolean {
    return this.failures !== this.failuresNow;
  }

  private get failuresNow(): number {
    const { item_versions, user_versions, events } = this.bench;
    return item_versions.failures + user_versions.failures + events.versions.failures;
  }

  /** Reads the current versions of the items and users in these records, and the facts of the named events. */
  async load(records: readonly Taken[]): Promise<void> {
    const items = records.flatMap((taken) => (taken.kind === 'items' ? taken.record : []));
    const users = records.flatMap((taken) => (taken.kind === 'users' ? taken.record.user_id : []));
    if (items.some(needsLanguage)) await this.bench.languages.load();
    this.failures = this.failuresNow;
    const { item_versions, user_versions, events } = this.bench;
    const named = records.flatMap((taken) => eventOf(taken.record) ?? []);
    if (named.length > 0) {
      this.latestEvent = await events.versions.withLatest(events.idsOf(named), (latest) => latest);
    }
    const ids = items.map(({ item_id }) => item_id);
    if (ids.length > 0) this.latestItem = await item_versions.withLatest(ids, (latest) => latest);
    if (users.length > 0) this.latestUser = await user_versions.withLatest(users, (latest) => latest);
  }

  take(taken: Taken): void {
    if (taken.time !== undefined) this.intake.clock.meet(taken.time);
    if (taken.kind !== 'impressions') this.pages.close();
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
        this.counted(taken, () => void this.bench.event_acts.remove(taken.record, this.events));
        break;
      case 'impressions':
        taken.report?.accept(this.pages.add(taken.record, this.now));
        break;
    }
  }

  /** Applies counters of an item that waited for the end. Those without a time get the data's time. */
  takeCounters(item: Key, counters: ItemCounters): void {
    const { updated_at, ...counts } = counters;
    const { names } = this.intake.state.items;
    const item_id = names.id(names.ordinal(item));
    const record = { item_id, timestamp: updated_at ?? this.now, ...counts };
    if (updated_at !== undefined || this.isContradicted(record)) {
      this.take({ kind: 'engagement', record, time: record.timestamp, line: 0, report: undefined });
      return;
    }
    this.changes.require(this.bench.preparer.needs.item(item_id, undefined, undefined, counters));
    this.bench.preparer.counters(item, counters, this.now, this.changes);
  }

  finish(): Prepared {
    this.pages.close();
    return { changes: this.changes, onApplied: () => runAll(this.onApplied) };
  }

  private get events(): EventSlice {
    const { changes, onApplied } = this;
    return { latest: this.latestEvent, applied_at: this.now, changes, onApplied };
  }

  private get now(): number {
    return this.intake.clock.now;
  }

  /** Why a record comes after the deletion of its subject; undefined if it counts. */
  private outdatedByDeletion({ kind, record, report }: Taken): string | undefined {
    const { deletions } = this.bench;
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
        return deletions.outdatedUser(record, this.latestUser(record.user_id) !== undefined, this.now);
      case 'engagement':
        return undefined;
      default:
        return deletions.outdatedAct(record, this.now);
    }
  }

  /** Runs a preparation and counts whether it made a change. */
  private counted({ report }: Taken, prepare: () => void): void {
    const before = this.changes.length;
    prepare();
    report?.accept(this.changes.length > before);
  }

  private item(taken: Of<'items'>): void {
    const { first_seen } = this.intake;
    const { preparer, item_keys, item_versions } = this.bench;
    const base = this.latestItem(taken.record.item_id);
    if (taken.record.completeness === 'rejected' && base === undefined) {
      first_seen.reject(taken.record);
      return;
    }
    const record = base === undefined ? first_seen.described(taken.record) : taken.record;
    const faults = [...missingOfNewItem(record, base, record.completeness), ...preparer.otherLength(record)];
    if (faults.length > 0) {
      taken.report?.reject(taken.line, describeFaults(faults));
      this.item({ ...taken, record: restOfItem(record), report: undefined });
      return;
    }
    const next = record.completeness === 'undescribed' ? undefined : this.nextItem(record, base);
    this.changes.require(preparer.needs.item(record.item_id, next?.author, next?.content, undefined));
    const before = this.changes.length;
    const item = item_keys.keyOf(record.item_id, this.now, 'bulk', this.changes);
    if (record.completeness === 'undescribed') first_seen.leaveUndescribed(item);
    const identity = `item ${record.item_id}`;
    const waits = this.waits(identity, base, next);
    if (next !== undefined && !waits) {
      preparer.describe(item, next, this.now, this.changes);
      if (record.revive) this.bench.deletions.lift('item', record.item_id, this.now, this.changes);
      const version = item_versions.set(record.item_id, next);
      this.onApplied.push(() => item_versions.applied(record.item_id, version));
    }
    const { counters, ...description } = record;
    const counted = counters !== undefined && this.keepCounters(item, record.item_id, counters);
    if (waits) this.intake.held.hold(identity, { ...taken, record: description });
    else taken.report?.accept(this.changes.length > before || counted);
  }

  /** Whether a record is another version of a known item or user, or follows a held record. */
  private waits(identity: string, base: object | undefined, next: object | undefined): boolean {
    if (!this.holding || base === undefined) return false;
    return next !== undefined || this.intake.held.has(identity);
  }

  private nextItem(record: ImportedItem, base: Base<ItemContent> | undefined): Base<ItemContent> | undefined {
    // An export without the author is no news about an item that has a description here.
    if (record.completeness === 'bare' && base !== undefined) return undefined;
    return this.bench.preparer.nextItem(record, base);
  }

  /** Keeps counters for the end of the import. @returns whether they may change something then */
  private keepCounters(item: Key, item_id: string, { updated_at, ...counts }: ItemCounters): boolean {
    const { clock, late } = this.intake;
    late.add(item, { ...counts, updated_at: updated_at === undefined ? undefined : clock.past(updated_at) });
    return this.differs(
      item_id,
      counts,
      (counted_at) => updated_at === undefined || clamped(updated_at, updated_at) >= counted_at,
    );
  }

  private user(taken: Of<'users'>): void {
    const { record } = taken;
    const { preparer, user_keys, user_versions } = this.bench;
    const base = this.latestUser(record.user_id);
    const next = preparer.nextUser(record, base);
    const identity = `user ${record.user_id}`;
    if (this.waits(identity, base, next)) {
      this.intake.held.hold(identity, taken);
      return;
    }
    this.changes.require(preparer.needs.user(record.user_id, next));
    taken.report?.accept(next !== undefined);
    const user = user_keys.keyOf(record.user_id, this.now, 'bulk', this.changes);
    if (next === undefined) return;
    this.changes.push({ kind: 'user', user, content: next, seq: 0, applied_at: this.now });
    if (record.revive) this.bench.deletions.lift('user', record.user_id, this.now, this.changes);
    const version = user_versions.set(record.user_id, next);
    this.onApplied.push(() => user_versions.applied(record.user_id, version));
  }

  private relation(taken: Of<'follows' | 'blocks'>): void {
    const { state, clock, held } = this.intake;
    const timestamp = clock.past(taken.record.timestamp);
    const record = { ...taken.record, timestamp };
    const identity = relationIdentity(record);
    if (this.holding && (isOppositeRelation(state, record) || held.has(identity))) {
      held.hold(identity, taken);
      return;
    }
    this.counted(taken, () => {
      if (isNamed(record)) this.bench.event_acts.take(record, this.events);
      else this.bench.preparer.relation(record, this.now, this.changes);
    });
  }

  private engagement(taken: Of<'engagement'>): void {
    const { record } = taken;
    if (this.holding && this.isContradicted(record)) {
      this.intake.held.hold(countIdentity(record), taken);
      return;
    }
    const { item_id, timestamp, ...counts } = record;
    this.counted(taken, () => {
      const counters = { ...counts, updated_at: this.intake.clock.past(timestamp) };
      this.changes.require(this.bench.preparer.needs.item(item_id, undefined, undefined, counters));
      const item = this.bench.item_keys.keyOf(item_id, this.now, 'bulk', this.changes);
      this.bench.preparer.counters(item, counters, this.now, this.changes);
    });
  }

  /** Whether other counts of the same time are known or held. */
  private isContradicted(record: EngagementRecord): boolean {
    const { item_id, timestamp, ...counts } = record;
    if (this.intake.held.has(countIdentity(record))) return true;
    if (this.intake.state.items.names.find(item_id) === NONE) return false;
    return this.differs(item_id, counts, (counted_at) => counted_at === clamped(timestamp, timestamp));
  }

  /** Whether a count differs from the known one, among those with a time that `concerns`. */
  private differs(
    item_id: string,
    counts: Omit<ItemCounters, 'updated_at'>,
    concerns: (counted_at: number) => boolean,
  ): boolean {
    const { items } = this.intake.state;
    const item = items.names.find(item_id);
    if (item === NONE) return true;
    return COUNTERS.some((counter) => {
      const counted_at = items.counted_at(item, counter);
      if (counts[counter] === undefined || !concerns(counted_at)) return false;
      return counted_at === 0 || counts[counter] !== items.source(item, counter);
    });
  }

  private interaction(taken: Of<'interactions'>): void {
    const { state, clock, held, first_seen } = this.intake;
    const { preparer, user_keys, item_keys } = this.bench;
    // An act that is identified by its time would be another act with another time.
    const own_time = this.isIdentifiedByTime(taken.record) ? taken.record.timestamp : undefined;
    if (own_time !== undefined && clock.isFarAhead(own_time)) {
      taken.report?.reject(taken.line, "timestamp: lies ahead of the service's clock");
      return;
    }
    const timestamp = own_time ?? clock.past(taken.record.timestamp);
    const record = timestamp === undefined ? { ...taken.record, timestamp } : taken.record;
    this.changes.require(preparer.needOfAct(record.user_id, record.item_id, record, this.now));
    const before = this.changes.length;
    const user = user_keys.keyOf(record.user_id, this.now, 'bulk', this.changes);
    const item = item_keys.keyOf(record.item_id, this.now, 'bulk', this.changes);
    const ordinal = state.items.names.ordinal(item);
    if (ordinal === NONE || !state.items.described(ordinal)) first_seen.note(item, timestamp ?? this.now);
    const opposite = this.holding && isOppositeAct(state, record, state.users.names.ordinal(user), ordinal);
    if (opposite || (this.holding && held.size > 0 && held.has(actIdentity(record)))) {
      held.hold(actIdentity(record), taken);
      return;
    }
    if (isNamed(record)) this.bench.event_acts.take(record, this.events);
    else preparer.act(user, item, record, this.now, this.changes);
    taken.report?.accept(this.changes.length > before);
  }

  private isIdentifiedByTime({ event_type, event_id = '' }: InteractionRecord): boolean {
    const { vocabulary } = this.intake.state;
    return event_id === '' && vocabulary.isIdentifiedByTime(vocabulary.code(event_type));
  }
}

/** What a rejected description still decides (`Format.rest`). */
function restOfItem({ item_id, content: { hidden } }: ImportedItem): ImportedItem {
  return { item_id, content: hidden === true ? { hidden } : {}, completeness: 'rejected' };
}
