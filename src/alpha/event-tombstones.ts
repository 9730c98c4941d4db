import type { WriteBatch } from '../ingest/write-batch.ts';
import { clamped } from '../model/acts.ts';
import type { WalletEvent } from './event.ts';

/**
 * Remembers that an event was deleted. Without a time: all events of this type by the wallet on the item, from before
 * the batch.
 */
export function rememberDeleted(event: WalletEvent, batch: WriteBatch): void {
  batch.context.deletions.add('item', nameOf(event), batch.applied_at, undefined, batch);
}

/** Whether an event was deleted, so that it changes nothing when it arrives again. An event without a time is new. */
export function isDeletedEvent(event: WalletEvent, { context, applied_at: now }: WriteBatch): boolean {
  const { deletions } = context;
  const { timestamp } = event;
  if (timestamp === undefined) return false;
  const all = nameOf({ ...event, timestamp: undefined });
  return (
    deletions.isDeleted(nameOf(event), now) ||
    deletions.outdatedFor('item', all, timestamp, now) !== undefined
  );
}

/**
 * The name of an event among deleted items. No identifier of an item has a line break.
 *
 * The time is that of the stored event, so 0 and the earliest time that is stored are the same event.
 */
function nameOf({ wallet_address, item_id, event_type, timestamp }: WalletEvent): string {
  const time = timestamp === undefined ? '' : Math.round(clamped(timestamp, timestamp) * 1000);
  return [item_id, wallet_address, event_type, time].join('\n');
}
