import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { WalletEvent } from '../model/records/wallet-event.ts';
import { timeOfAct } from '../state/apply.ts';
import { redateItem } from './redate-items.ts';
import type { RemovalResult } from './removals.ts';
import type { WriteBatch } from './write-batch.ts';

/**
 * Deletes the event at a time. Without a time, deletes all events of this type by the wallet on the item. The state
 * then contains all events that were accepted before.
 *
 * A tombstone remembers what was deleted, so that a source that sends its events again does not bring it back.
 */
export function removeEvents(event: WalletEvent, batch: WriteBatch): RemovalResult & { count: number } {
  const times = timesOf(event, batch);
  const count = times.size;
  const is_dated = event.timestamp !== undefined;
  if (count > 0) addDeletion(event, times, batch);
  if (count > 0 || is_dated) batch.context.deletions.addEvent(event, times, batch);
  // The next event may depend on the state without these events.
  batch.is_barrier = true;
  if (count > 0) return { outcome: 'done', count, is_dated, warnings: [] };
  return { outcome: 'missed', count, is_dated, warnings: [MISSED] };
}

const MISSED = 'there is no such event; if it arrives later, it will change nothing';

function addDeletion(event: WalletEvent, times: ReadonlySet<number>, batch: WriteBatch): void {
  const { items, users, vocabulary } = batch.context.state;
  const [user, item] = [users.names.find(event.wallet_address), items.names.find(event.item_id)];
  const event_type = vocabulary.code(event.event_type);
  const keys = { user: users.names.key(user), item: items.names.key(item) };
  const { timestamp } = event;
  const { applied_at } = batch;
  batch.push({ kind: 'act_deletion', ...keys, event_type, timestamp, seq: 0, applied_at });
  if (!items.described(item) || !times.has(items.created_at(item))) return;
  const goes = (other: number, type: number, time: number) =>
    other === user && type === event_type && times.has(time);
  redateItem(event.item_id, goes, batch);
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
