/** Turns events of wallets into changes. Wallets become users, and tokens and NFTs become items of their contract. */
import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { clamped } from '../model/acts.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { WalletEvent } from '../model/records/wallet-event.ts';
import { itemParts } from '../model/values/tokens.ts';
import { addAct, capacityOfAct } from './prepare-acts.ts';
import type { WriteBatch } from './write-batch.ts';

/** The content of an item before it gets metadata. */
export function bareItem(item_id: string, created_at: number): ItemContent {
  return { created_at, channel: itemParts(item_id).contract };
}

/**
 * Adds the changes of an event to a batch. Adds none if the event is known.
 * @param redates whether an existing item that is younger gets the time of the event. The batch then has its latest
 * version
 * @returns the fault of an event without a timestamp, if all times that it may have are taken
 * @throws ServiceError `state_full`, without any change
 */
export function addWalletEvent(event: WalletEvent, batch: WriteBatch, redates: boolean): Fault[] {
  const { wallet_address, item_id, event_type, timestamp } = event;
  const { applied_at, context } = batch;
  const is_first = !context.itemExists(item_id);
  const act = { user_id: wallet_address, event_type, timestamp, action: 'add' } as const;
  const first = is_first ? bareItem(item_id, applied_at) : undefined;
  batch.require(capacityOfAct(wallet_address, item_id, act, batch, first));
  const user = batch.userKey(wallet_address);
  const item = batch.itemKey(item_id);
  const code = context.state.vocabulary.code(event_type);
  // An item is as old as its event, to the millisecond, so that both are found together.
  const time =
    timestamp === undefined
      ? context.act_times.next(user, item, code, applied_at)
      : clamped(timestamp, timestamp);
  if (timestamp === undefined && time > applied_at + LIMITS.future_tolerance_seconds) return [CROWDED];
  // An event does not bring a deleted item back.
  if (!context.deletions.isDeleted(item_id, applied_at)) {
    if (is_first) batch.setItem(item_id, { content: bareItem(item_id, time) });
    else if (redates) redate(item_id, time, batch);
  }
  addAct(user, item, { ...act, timestamp: time }, batch);
  return [];
}

/** Gives an item an earlier creation time, unless the catalog has dated it. */
function redate(item_id: string, time: number, batch: WriteBatch): void {
  const content = batch.latest.item(item_id)?.content;
  if (content !== undefined && content.dated !== true && content.created_at > time)
    batch.setItem(item_id, { content: { ...content, created_at: time } });
}

const CROWDED: Fault = {
  path: '/timestamp',
  message: `this wallet and item have so many events without a timestamp that this one would be more than ${LIMITS.future_tolerance_seconds} s ahead of the service's clock; send it with its timestamp, or later`,
};
