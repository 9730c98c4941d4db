/**
 * Follows, blocks, likes, shares and bookmarks that carry the event id of their network.
 *
 * An act belongs to the event with the same time, which is the latest one. Therefore every event gets a time of its
 * own.
 */
import { roundToMs } from '../columns/time.ts';
import { clamped } from '../model/acts.ts';
import { BLOCK } from '../model/changes/block.ts';
import { type ActSpace, EVENT, type EventSpace } from '../model/changes/event.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import { type Key, NONE } from '../model/key.ts';
import {
  type BlockRecord,
  EVENT_KINDS,
  type EventRemoval,
  type FollowRecord,
  type InteractionRecord,
} from '../model/records/index.ts';
import { clip } from '../model/values/refusal.ts';
import { isPast } from './act-times.ts';
import { actPair } from './acts.ts';
import type { IngestContext } from './context.ts';
import { type EventFact, type EventFacts, type EventName, idOf } from './event-index.ts';
import {
  addAct,
  addRelation,
  capacityOfAct,
  knownRelation,
  pushAct,
  pushPair,
  relationFloor,
} from './prepare-acts.ts';
import type { Fact } from './queued-changes.ts';
import { relationOf, relationPair } from './relations.ts';
import type { WriteBatch } from './write-batch.ts';

/** Times are distinct in milliseconds. */
const TICK_SECONDS = 0.001;
/** How far ahead of the clock an act may be dated to differ from another at the same time. */
const LEAD_SECONDS_MAX = 0.1;

/** Actions of records that do something. The others end it. */
const ADDING: ReadonlySet<string> = new Set(['add', FOLLOW.kind, BLOCK.kind]);

/** The subject of an event: an item that the user likes, shares or bookmarks, or a user whom they follow or block. */
interface Tie {
  target: Key;
  item: Key;
  event_type: number;
}

export interface NamedEvent<Space extends EventSpace = EventSpace> {
  space: Space;
  user: Key;
  user_id: string;
  event_id: string;
}

type AddedFact = Omit<EventFact, 'list_id'> & Partial<EventFact>;

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

/** Whether a record does something rather than end it. */
export function isAdding({ action }: { action: string }): boolean {
  return ADDING.has(action);
}

function spaceOf(record: NamedRecord): ActSpace {
  return 'item_id' in record ? INTERACTION.kind : relationOf(record);
}

function isRemoval(record: object): record is EventRemoval {
  return 'space' in record;
}

/**
 * Adds the changes of a record that names its event and its subject.
 * @throws ServiceError `state_full`, without any change
 */
export function addEvent(record: NamedRecord, batch: WriteBatch): string[] {
  const space = spaceOf(record);
  const known_user = batch.context.user_keys.find(record.user_id);
  const facts = known_user === NONE ? [] : factsOf({ space, user: known_user, ...record }, batch);
  const adds = isAdding(record);
  if (isTakenBack(facts))
    return adds ? [`the event '${clip(record.event_id)}' was taken back before; it changed nothing`] : [];
  if (!adds && facts.length > 0) {
    takeBack({ space, user: known_user, ...record }, facts, batch);
    return [];
  }
  requireCapacity(record, batch);
  const { user, ...tie } = tieOf(record, batch);
  const event = { space, user, user_id: record.user_id, event_id: record.event_id } as const;
  if (adds) addOf(event, tie, record.timestamp, facts, batch);
  else removeUnnamed(event, tie, record, batch);
  return [];
}

/**
 * Takes back an event. The record gives only its id.
 * @throws ServiceError `state_full`, without any change
 */
export function removeEvent({ space, user_id, event_id }: EventRemoval, batch: WriteBatch): string[] {
  const { applied_at, context } = batch;
  const known_user = context.user_keys.find(user_id);
  const facts = known_user === NONE ? [] : factsOf({ space, user: known_user, user_id, event_id }, batch);
  if (isTakenBack(facts)) return [];
  if (facts.length > 0) {
    takeBack({ space, user: known_user, user_id, event_id }, facts, batch);
    return [];
  }
  batch.require(context.estimates.user(user_id, undefined));
  const user = batch.userKey(user_id);
  const nothing = { target: NONE, item: NONE, event_type: 0 };
  addFacts({ space, user, user_id, event_id }, [{ ...nothing, action: 0, timestamp: applied_at }], batch);
  return [`there is no event '${clip(event_id)}' of this user so far; when it comes it changes nothing`];
}

export function factsOf({ space, user, event_id }: NamedEvent, { latest }: WriteBatch): EventFacts {
  return latest.event(idOf(space, user, event_id)) ?? [];
}

function requireCapacity(record: NamedRecord, batch: WriteBatch): void {
  const { user_id } = record;
  const { estimates } = batch.context;
  if ('item_id' in record) batch.require(capacityOfAct(user_id, record.item_id, record, batch));
  else batch.require(estimates.relation(relationOf(record), user_id, record.target_user_id));
}

/** The subject of a record. Creates missing keys. */
function tieOf(record: NamedRecord, batch: WriteBatch): Tie & { user: Key } {
  const user = batch.userKey(record.user_id);
  if (!('item_id' in record))
    return { user, item: NONE, target: batch.userKey(record.target_user_id), event_type: 0 };
  const event_type = batch.context.state.vocabulary.code(record.event_type);
  return { user, item: batch.itemKey(record.item_id), target: NONE, event_type };
}

function addOf(
  event: NamedEvent<ActSpace>,
  tie: Tie,
  timestamp: number | undefined,
  facts: EventFacts,
  batch: WriteBatch,
): void {
  const { applied_at, context } = batch;
  const given = clamped(timestamp ?? applied_at, applied_at);
  const dated = isPast(timestamp, applied_at);
  const own = facts.findLast((fact) => isAbout(fact, tie));
  // The event was sent again.
  if (own !== undefined && (!dated || given <= own.timestamp)) return;
  if (dated && !replacesOthers(event, { ...tie, timestamp: given }, facts, batch)) return;
  const known = knownAct(event, tie, context);
  const time = ownTime(given, dated, known, applied_at);
  const counts = known === undefined || time > known.time || (time === known.time && !known.stands);
  if (counts && time >= floorOf(event, context)) pushTie(event, tie, true, time, batch);
  addFacts(event, [{ ...tie, action: 1, timestamp: time }], batch);
}

/**
 * Ends acts of an event on other subjects. A network replaces the record of an event: only the latest of its subjects counts.
 * @returns false if one of the others is later
 */
function replacesOthers(
  event: NamedEvent<ActSpace>,
  { timestamp, ...tie }: Tie & { timestamp: number },
  facts: EventFacts,
  batch: WriteBatch,
): boolean {
  for (let at = facts.length - 1; at >= 0; at--) {
    const fact = facts[at];
    if (fact.event_type !== tie.event_type || isAbout(fact, tie)) continue;
    if (fact.timestamp > timestamp) return false;
    // Acts before one that does not stand have ended, too. There may be very many.
    if (!endAct(event, fact, batch)) return true;
  }
  return true;
}

/** Takes back all acts that belong to an event. Acts that were repeated later belong to another event and stay. */
function takeBack(event: NamedEvent<ActSpace>, facts: EventFacts, batch: WriteBatch): void {
  const latest = latestOfEach(facts);
  for (const fact of latest) endAct(event, fact, batch);
  addFacts(
    event,
    latest.map((fact) => ({ ...fact, action: 0 })),
    batch,
  );
}

/** Ends an act unless it was ended, or repeated later. @returns whether it stood */
function endAct(event: NamedEvent<ActSpace>, fact: EventFact, batch: WriteBatch): boolean {
  const known = knownAct(event, fact, batch.context);
  const stands = known?.stands === true && known.time === fact.timestamp;
  if (stands) pushTie(event, fact, false, removalTime(event, fact, batch.context), batch);
  return stands;
}

/**
 * Takes back an act whose event is unknown, as if the record named no event.
 *
 * It also remembers that the event was taken back.
 */
function removeUnnamed(
  event: NamedEvent<ActSpace>,
  tie: Tie,
  { event_id: _, ...record }: NamedRecord,
  batch: WriteBatch,
): void {
  const { applied_at } = batch;
  if ('item_id' in record) addAct(event.user, tie.item, record, batch);
  else addRelation(record, batch);
  const timestamp = clamped(record.timestamp ?? applied_at, applied_at);
  addFacts(event, [{ ...tie, action: 0, timestamp }], batch);
}

/** The known state of a tie. Queued changes count as applied. */
function knownAct(
  { space, user }: NamedEvent<ActSpace>,
  { target, item, event_type }: Tie,
  context: IngestContext,
): Fact | undefined {
  if (space !== INTERACTION.kind) return knownRelation(space, user, target, context);
  const { state, queued_changes } = context;
  const queued = queued_changes.fact(actPair(user, item, event_type));
  if (queued !== undefined) return queued;
  const one = state.users.names.ordinal(user);
  const other = state.items.names.ordinal(item);
  if (one === NONE || other === NONE) return undefined;
  const act = { user: one, item: other, event_type, add: true, time: 0, event_id: '' };
  const known = state.interactions.known(act);
  return known !== undefined && known.time >= queued_changes.actsDeletedBefore(item) ? known : undefined;
}

/**
 * The time at which an act is taken back: its own time, so that later events count.
 *
 * A follow that a later whole list confirmed is taken back just after the list. Otherwise the list would restore it
 * when it is sent again.
 */
function removalTime(event: NamedEvent<ActSpace>, fact: EventFact, context: IngestContext): number {
  const floor = floorOf(event, context);
  return fact.timestamp >= floor ? fact.timestamp : roundToMs(floor + TICK_SECONDS);
}

/** Acts older than this change nothing. */
function floorOf({ space, user }: NamedEvent<ActSpace>, context: IngestContext): number {
  return space === INTERACTION.kind ? 0 : relationFloor(space, user, context);
}

function pushTie(
  { space, user, user_id }: NamedEvent<ActSpace>,
  { target, item, event_type }: Tie,
  add: boolean,
  timestamp: number,
  batch: WriteBatch,
): void {
  const applied_at = Math.max(batch.applied_at, timestamp);
  const rest = { action: add ? 1 : 0, timestamp, seq: 0, applied_at };
  if (space === INTERACTION.kind) {
    const change = { kind: space, user, item, event_type, event_id: '', ...rest };
    pushAct(user_id, actPair(user, item, event_type), timestamp, change, batch);
  } else
    pushPair(relationPair(space, user, target), timestamp, { kind: space, user, target, ...rest }, batch);
}

/** Adds facts about an event. `list_id` is that of a member of a list. */
export function addFacts(event: NamedEvent, added: readonly AddedFact[], batch: WriteBatch): void {
  const { space, user, event_id } = event;
  const { applied_at, context } = batch;
  const event_hash = context.events.hash(space, user, event_id);
  const complete = added.map((fact): EventFact => ({ list_id: '', ...fact }));
  const facts = [...factsOf(event, batch), ...complete];
  batch.onApplied.push(context.events.versions.set(idOf(space, user, event_id), facts));
  for (const fact of complete)
    batch.push({ kind: EVENT.kind, space, user, event_id, event_hash, ...fact, seq: 0, applied_at });
}

export function isTakenBack(facts: EventFacts): boolean {
  return facts.some(({ action }) => action === 0);
}

function isAbout(one: Tie, other: Tie): boolean {
  return one.target === other.target && one.item === other.item && one.event_type === other.event_type;
}

function latestOfEach(facts: EventFacts): EventFact[] {
  const keyOf = ({ target, item, event_type }: EventFact) => `${target} ${item} ${event_type}`;
  return [...new Map(facts.map((fact) => [keyOf(fact), fact])).values()];
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
