import { ServiceError } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import { timeOfAct } from '../state/apply.ts';
import { firstActOn } from '../state/first-act.ts';
import type { WalletEvent } from './event.ts';
import { rememberDeleted } from './event-tombstones.ts';
import { redate } from './redate-items.ts';

export interface DeletedEvents {
  count: number;
  warnings: string[];
}

/**
 * Deletes the event at a time. Without a time, deletes all events of this type by the wallet on the item. Resolves
 * when that is durable and applied.
 *
 * A tombstone remembers what was deleted, so that a source that sends its events again does not bring it back.
 * @throws ServiceError `not_found` if there is no event and no time was given, `write_queue_full`,
 * `store_unavailable`
 */
export async function deleteEvents(
  event: WalletEvent,
  ingest: Ingest,
  account?: string,
): Promise<DeletedEvents> {
  let count = 0;
  const { durable } = await ingest.queue.write({
    account,
    records: 1,
    // The state then contains all events that were accepted before.
    after_all: true,
    reads: () => ({ items: [event.item_id] }),
    prepare: (batch) => {
      const times = timesOf(event, batch);
      count = times.size;
      if (count > 0) addDeletion(event, times, batch);
      if (count > 0 || event.timestamp !== undefined) remember(event, times, batch);
      // The next event may depend on the state without these events.
      batch.is_barrier = true;
    },
  });
  await durable;
  if (count > 0) return { count, warnings: [] };
  if (event.timestamp === undefined) throw missing(event);
  return { count, warnings: ['there is no such event; if it arrives later, it will change nothing'] };
}

function addDeletion(event: WalletEvent, times: ReadonlySet<number>, batch: WriteBatch): void {
  const { items, users, interactions, vocabulary } = batch.context.state;
  const [user, item] = [users.names.find(event.wallet_address), items.names.find(event.item_id)];
  const event_type = vocabulary.code(event.event_type);
  const { timestamp } = event;
  const { applied_at } = batch;
  const keys = { user: users.names.key(user), item: items.names.key(item) };
  batch.push({ kind: 'act_deletion', ...keys, event_type, timestamp, seq: 0, applied_at });
  if (!items.described(item) || !times.has(items.created_at(item))) return;
  const first = firstActOn(
    interactions,
    item,
    (other, type, time) => other !== user || type !== event_type || !times.has(time),
  );
  redate(event.item_id, first, batch);
}

/** The times of the events that are meant, in seconds. O(the wallet's events). */
function timesOf(
  { wallet_address, item_id, timestamp, ...event }: WalletEvent,
  { applied_at: now, context }: WriteBatch,
): Set<number> {
  const { items, users, interactions, vocabulary } = context.state;
  const { by_user } = interactions;
  const [user, item] = [users.names.find(wallet_address), items.names.find(item_id)];
  const times = new Set<number>();
  if (user === NONE || item === NONE) return times;
  // No event is that far ahead. Clamped, the time would be that of another event.
  if (timestamp !== undefined && timestamp > now + LIMITS.future_tolerance_seconds) return times;
  const event_type = vocabulary.code(event.event_type);
  const only =
    timestamp === undefined ? undefined : timeOfAct(vocabulary, { event_type, event_id: '', timestamp }, now);
  for (let at = by_user.previousOf(user, item); at !== NONE; at = by_user.previousOf(user, item, at)) {
    const time = by_user.timestamp(at);
    if (by_user.event_type(at) === event_type && (only === undefined || only === time)) times.add(time);
  }
  return times;
}

function remember(event: WalletEvent, times: ReadonlySet<number>, batch: WriteBatch): void {
  rememberDeleted(event, batch);
  if (event.timestamp !== undefined) return;
  // The tombstone of all events covers those from before it. Times may be slightly ahead of the clock.
  for (const timestamp of times)
    if (timestamp >= batch.applied_at) rememberDeleted({ ...event, timestamp }, batch);
}

function missing({ wallet_address, item_id, event_type }: WalletEvent): ServiceError {
  return new ServiceError(
    'not_found',
    `there is no event '${event_type}' of wallet '${wallet_address}' on item '${item_id}'`,
  );
}
