import { roundToMs } from '../columns/time.ts';
import { clamped, type EventSpace, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { isPast } from './act-times.ts';
import { actPair } from './acts.ts';
import { type EventBook, type EventFact, type EventFacts, type EventName, idOf } from './event-book.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Preparer } from './prepare.ts';
import type { Fact, PairChange, QueuedChanges } from './queued-changes.ts';
import {
  type BlockRecord,
  EVENT_KINDS,
  type EventRemoval,
  type FollowRecord,
  type InteractionRecord,
} from './records/index.ts';
import { clip } from './records/refusal.ts';
import { RELATION_PAIR, relationOf } from './relations.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Latest } from './versions.ts';

/** Times are distinct in milliseconds. */
const TICK_SECONDS = 0.001;
/** How far ahead of the clock an act may be dated to differ from another at the same time. */
const LEAD_SECONDS_MAX = 0.1;

/** Actions of records that do something. The others end it. */
const ADDING: ReadonlySet<NamedRecord['action']> = new Set(['add', 'follow', 'block']);

/** Data that is shared by the preparation of some records. */
export interface EventSlice {
  latest: Latest<EventFacts>;
  applied_at: number;
  changes: ChangeBatch;
  /** To be called when the changes have been applied. */
  onApplied: (() => void)[];
}

/** The subject of an event: an item that the user likes, shares or bookmarks, or a user whom they follow or block. */
interface Tie {
  target: Key;
  item: Key;
  event_type: number;
}

/** An event of a user who has a key. */
interface NamedEvent {
  space: EventSpace;
  user: Key;
  event_id: string;
}

type NamedRecord = (FollowRecord | BlockRecord | InteractionRecord) & { event_id: string };

/** The event that a record names; undefined for kinds of record without events. */
export function eventOf(record: object): EventName | undefined {
  if (isRemoval(record)) return record;
  if (!isNamed(record)) return undefined;
  return { space: spaceOf(record), ...record };
}

/** Whether a record names its event and its subject. Only some kinds of interaction have events. */
export function isNamed(record: object): record is NamedRecord {
  if (!('event_id' in record) || record.event_id === undefined) return false;
  if ('target_user_id' in record) return true;
  return 'event_type' in record && EVENT_KINDS.some((kind) => kind === record.event_type);
}

function spaceOf(record: NamedRecord): EventSpace {
  return 'item_id' in record ? 'interaction' : relationOf(record);
}

function isRemoval(record: object): record is EventRemoval {
  return 'space' in record;
}

/**
 * Follows, blocks, likes, shares and bookmarks that carry the event id of their network.
 *
 * An act belongs to the event with the same time, which is the latest one. Therefore every event gets a time of its
 * own.
 */
export class EventActs {
  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly items: KeyAllocator,
    private readonly queued_changes: QueuedChanges,
    private readonly book: EventBook,
    private readonly preparer: Preparer,
  ) {}

  /**
   * Prepares a record that names its event and its subject.
   * @returns warnings
   * @throws ServiceError `state_full`, without any change
   */
  take(record: NamedRecord, slice: EventSlice): string[] {
    const space = spaceOf(record);
    const known_user = this.users.find(record.user_id);
    const facts = known_user === NONE ? [] : this.factsOf({ space, user: known_user, ...record }, slice);
    const adds = ADDING.has(record.action);
    if (isTakenBack(facts))
      return adds ? [`the event '${clip(record.event_id)}' was taken back before; it changed nothing`] : [];
    if (!adds && facts.length > 0) {
      this.takeBack({ space, user: known_user, event_id: record.event_id }, facts, slice);
      return [];
    }
    this.requireRoom(record, slice);
    const { user, ...tie } = this.tieOf(record, slice);
    const event = { space, user, event_id: record.event_id } as const;
    if (adds) this.add(event, tie, record.timestamp, facts, slice);
    else this.removeUnnamed(event, tie, record, slice);
    return [];
  }

  /**
   * Takes back an event. The record gives only its id.
   * @returns warnings
   * @throws ServiceError `state_full`, without any change
   */
  remove({ space, user_id, event_id }: EventRemoval, slice: EventSlice): string[] {
    const { applied_at, changes } = slice;
    const known_user = this.users.find(user_id);
    const facts = known_user === NONE ? [] : this.factsOf({ space, user: known_user, event_id }, slice);
    if (isTakenBack(facts)) return [];
    if (facts.length > 0) {
      this.takeBack({ space, user: known_user, event_id }, facts, slice);
      return [];
    }
    changes.require(this.preparer.needs.user(user_id, undefined));
    const user = this.users.keyOf(user_id, applied_at, 'bulk', changes);
    const nothing = { target: NONE, item: NONE, event_type: 0 };
    this.note({ space, user, event_id }, { ...nothing, action: 0, timestamp: applied_at }, slice);
    return [`there is no event '${clip(event_id)}' of this user so far; when it comes it changes nothing`];
  }

  private factsOf({ space, user, event_id }: NamedEvent, { latest }: EventSlice): EventFacts {
    return latest(idOf(space, user, event_id)) ?? [];
  }

  private requireRoom(record: NamedRecord, { applied_at, changes }: EventSlice): void {
    const { needs } = this.preparer;
    if ('item_id' in record) {
      changes.require(this.preparer.needOfAct(record.user_id, record.item_id, record, applied_at));
      return;
    }
    const kind = relationOf(record);
    changes.require(needs[kind](record.user_id, record.target_user_id));
  }

  /** The subject of a record. Creates missing keys. */
  private tieOf(record: NamedRecord, { applied_at, changes }: EventSlice): Tie & { user: Key } {
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    if ('item_id' in record) {
      const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
      return { user, item, target: NONE, event_type: this.state.vocabulary.code(record.event_type) };
    }
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    return { user, item: NONE, target, event_type: 0 };
  }

  private add(
    event: NamedEvent,
    tie: Tie,
    timestamp: number | undefined,
    facts: EventFacts,
    slice: EventSlice,
  ): void {
    const { applied_at } = slice;
    const given = clamped(timestamp ?? applied_at, applied_at);
    const dated = isPast(timestamp, applied_at);
    const own = facts.findLast((fact) => isAbout(fact, tie));
    // The event was sent again.
    if (own !== undefined && (!dated || given <= own.timestamp)) return;
    const known = this.known(event, tie);
    const time = ownTime(given, dated, known, applied_at);
    const floor = this.floor(event);
    if (
      time >= floor &&
      (known === undefined || time > known.time || (time === known.time && !known.stands))
    ) {
      this.say(event, tie, true, time, slice);
    }
    this.note(event, { ...tie, action: 1, timestamp: time }, slice);
  }

  /** Takes back all acts that belong to an event. Acts that were repeated later belong to another event and stay. */
  private takeBack(event: NamedEvent, facts: EventFacts, slice: EventSlice): void {
    for (const fact of latestOfEach(facts)) {
      const known = this.known(event, fact);
      if (known?.stands && known.time === fact.timestamp) {
        this.say(event, fact, false, this.removalTime(event, fact), slice);
      }
      this.note(event, { ...fact, action: 0 }, slice);
    }
  }

  /**
   * Takes back an act whose event is unknown, as if the record named no event.
   *
   * It also remembers that the event was taken back.
   */
  private removeUnnamed(
    event: NamedEvent,
    tie: Tie,
    { event_id: _, ...record }: NamedRecord,
    slice: EventSlice,
  ): void {
    const { applied_at, changes } = slice;
    if ('item_id' in record) this.preparer.act(event.user, tie.item, record, applied_at, changes);
    else this.preparer.relation(record, applied_at, changes);
    const timestamp = clamped(record.timestamp ?? applied_at, applied_at);
    this.note(event, { ...tie, action: 0, timestamp }, slice);
  }

  /** The known state of a tie. Queued changes count as applied. */
  private known({ space, user }: NamedEvent, { target, item, event_type }: Tie): Fact | undefined {
    if (space !== 'interaction') return this.preparer.knownRelation(space, user, target);
    const queued = this.queued_changes.fact(actPair(user, item, event_type));
    if (queued !== undefined) return queued;
    const one = this.state.users.names.ordinal(user);
    const other = this.state.items.names.ordinal(item);
    if (one === NONE || other === NONE) return undefined;
    const act = { user: one, item: other, event_type, add: true, time: 0, event_id: '' };
    const known = this.state.interactions.known(act);
    return known !== undefined && known.time >= this.queued_changes.actsDeletedBefore(item)
      ? known
      : undefined;
  }

  /**
   * The time at which an act is taken back: its own time, so that later events count.
   *
   * A follow that a later whole list confirmed is taken back just after the list. Otherwise the list would restore it
   * when it is sent again.
   */
  private removalTime(event: NamedEvent, fact: EventFact): number {
    const floor = this.floor(event);
    return fact.timestamp >= floor ? fact.timestamp : roundToMs(floor + TICK_SECONDS);
  }

  /** Acts older than this change nothing. */
  private floor({ space, user }: NamedEvent): number {
    return space === 'interaction' ? 0 : this.preparer.relationFloor(space, user);
  }

  private say(
    { space, user }: NamedEvent,
    tie: Tie,
    add: boolean,
    timestamp: number,
    { applied_at, changes }: EventSlice,
  ): void {
    const { target, item, event_type } = tie;
    const rest = { action: add ? 1 : 0, timestamp, seq: 0, applied_at: Math.max(applied_at, timestamp) };
    const change: PairChange =
      space === 'interaction'
        ? { kind: space, user, item, event_type, event_id: '', ...rest }
        : { kind: space, user, target, ...rest };
    const pair =
      space === 'interaction' ? actPair(user, item, event_type) : RELATION_PAIR[space](user, target);
    this.queued_changes.noteChange(pair, change, timestamp);
    changes.push(change);
  }

  private note(event: NamedEvent, fact: EventFact, slice: EventSlice): void {
    const { space, user, event_id } = event;
    const { applied_at, changes, onApplied } = slice;
    const { versions } = this.book;
    const id = idOf(space, user, event_id);
    const event_hash = this.book.hash(space, user, event_id);
    const version = versions.set(id, [...this.factsOf(event, slice), fact]);
    onApplied.push(() => versions.applied(id, version));
    changes.push({ kind: 'event', ...event, event_hash, ...fact, seq: 0, applied_at });
  }
}

function isTakenBack(facts: EventFacts): boolean {
  return facts.some(({ action }) => action === 0);
}

function isAbout(one: Tie, other: Tie): boolean {
  return one.target === other.target && one.item === other.item && one.event_type === other.event_type;
}

/** The latest fact of an event for each tie. */
function latestOfEach(facts: EventFacts): EventFact[] {
  return facts.filter((fact, at) => facts.findLastIndex((other) => isAbout(fact, other)) === at);
}

/**
 * The time of an act by a new event.
 *
 * Of two events at the same time, the later arrival gets the next millisecond. An event without a timestamp counts as
 * later than the current act. Beyond the limit a burst of events shares a time, so that it does not move the clock.
 */
function ownTime(given: number, dated: boolean, known: Fact | undefined, applied_at: number): number {
  if (known === undefined || !known.stands) return given;
  if (dated ? known.time !== given : known.time < given) return given;
  const next = roundToMs(known.time + TICK_SECONDS);
  return next <= applied_at + LEAD_SECONDS_MAX ? next : known.time;
}
