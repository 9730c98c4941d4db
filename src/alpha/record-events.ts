/** Converts wallet events to changes. Wallets become users, and tokens and NFTs become items of their contract. */
import { invalidValue } from '../errors.ts';
import type { IngestContext } from '../ingest/context.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { addAct, capacityOfAct } from '../ingest/prepare-acts.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import { WITHOUT_KEY } from '../ingest/write-turns.ts';
import { LIMITS } from '../limits.ts';
import { clamped } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { WalletEvent } from './event.ts';
import { isDeletedEvent } from './event-tombstones.ts';
import type { DatedEvent } from './formats.ts';
import { itemParts } from './identifiers.ts';

/** The content of an item before it gets metadata. */
export function bareItem(item_id: string, created_at: number): ItemContent {
  return { created_at, channel: itemParts(item_id).contract };
}

/**
 * Records an event. Resolves when it is durable and applied.
 *
 * Anyone may send events. So an event stores only itself: an existing item keeps its content and its age.
 * Nobody may learn from the answer that a wallet or an event was erased, so only the deletion of the item is named.
 * @returns why the event changes nothing, if its item was deleted after it
 * @throws ServiceError `invalid_value` if it is ahead of the clock, `write_queue_full`, `store_unavailable`,
 * `state_full`
 */
export async function recordEvent(event: WalletEvent, ingest: Ingest, now: number): Promise<string[]> {
  const { timestamp = 0, item_id } = event;
  if (timestamp > now + LIMITS.future_tolerance_seconds) throw ahead();
  let warning: string | undefined;
  const { durable } = await ingest.queue.write({
    account: WITHOUT_KEY,
    records: 1,
    prepare: (batch) => {
      const { applied_at, context } = batch;
      if (event.timestamp !== undefined)
        warning = context.deletions.outdatedFor('item', item_id, event.timestamp, applied_at);
      if (outdatedEvent(event, batch) === undefined) addEvent(event, batch, false);
    },
  });
  await durable;
  return warning === undefined ? [] : [warning];
}

/** The items with imported events older than the item. Their next versions extend the current ones. */
export function predated(events: readonly DatedEvent[], context: IngestContext): string[] {
  const younger = ({ item_id, timestamp }: DatedEvent): boolean => {
    const created_at = createdAt(item_id, context);
    return created_at !== undefined && created_at > timestamp;
  };
  return [...new Set(events.filter(younger).map(({ item_id }) => item_id))];
}

/**
 * Adds the changes of an event to a batch. Adds none if the event is known.
 * @param redates whether existing items that are younger get the time of the event. The batch then has those of
 * `predated`
 * @throws ServiceError `invalid_value` for an event without a timestamp, if all times that it may have are taken;
 * `state_full`
 */
export function addEvent(event: WalletEvent, batch: WriteBatch, redates: boolean): void {
  const { wallet_address, item_id, event_type, timestamp } = event;
  const { applied_at, context } = batch;
  const first = createdAt(item_id, context) === undefined ? bareItem(item_id, applied_at) : undefined;
  const act = { user_id: wallet_address, event_type, timestamp, action: 'add' } as const;
  batch.require(capacityOfAct(wallet_address, item_id, act, batch, first));
  const user = batch.userKey(wallet_address);
  const item = batch.itemKey(item_id);
  const code = context.state.vocabulary.code(event_type);
  // An item is as old as its event, to the millisecond, so that both are found together.
  const time =
    timestamp === undefined
      ? context.act_times.next(user, item, code, applied_at)
      : clamped(timestamp, timestamp);
  if (timestamp === undefined && time > applied_at + LIMITS.future_tolerance_seconds) throw crowded();
  // An event does not bring a deleted item back.
  const stays_deleted = context.deletions.isDeleted(item_id, applied_at);
  const content = stays_deleted ? undefined : described(item_id, time, batch, redates);
  if (content !== undefined) batch.setItem(item_id, { content });
  addAct(user, item, { ...act, timestamp: time }, batch);
}

/** The version of an item that an event creates: the first, or one with an earlier creation time in an import. */
function described(
  item_id: string,
  time: number,
  { latest, context }: WriteBatch,
  redates: boolean,
): ItemContent | undefined {
  const created_at = createdAt(item_id, context);
  if (created_at === undefined) return bareItem(item_id, time);
  if (!redates || created_at <= time) return undefined;
  const { content } = latest.item(item_id) ?? { content: bareItem(item_id, time) };
  return content.dated === true ? undefined : { ...content, created_at: time };
}

function createdAt(item_id: string, { state, item_keys, item_versions }: IngestContext): number | undefined {
  const queued = item_versions.get(item_id)?.content;
  if (queued !== undefined) return queued.content.created_at;
  const { items } = state;
  const ordinal = items.names.ordinal(item_keys.find(item_id));
  return ordinal !== NONE && items.described(ordinal) ? items.created_at(ordinal) : undefined;
}

/** Why an event changes nothing: it, its wallet or its item was deleted after it. Undefined if it counts. */
export function outdatedEvent(event: WalletEvent, batch: WriteBatch): string | undefined {
  const { wallet_address, item_id, timestamp } = event;
  if (isDeletedEvent(event, batch)) return 'this event was deleted: it changed nothing';
  const act = { user_id: wallet_address, item_id, timestamp };
  return batch.context.deletions.outdatedAct(act, batch.applied_at);
}

function ahead() {
  const message = `may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock`;
  return invalidValue([{ path: '/timestamp', message }]);
}

function crowded() {
  const seconds = LIMITS.future_tolerance_seconds;
  const message = `this wallet and item have so many events without a timestamp that this one would be more than ${seconds} s ahead of the service's clock; send it with its timestamp, or later`;
  return invalidValue([{ path: '/timestamp', message }]);
}
