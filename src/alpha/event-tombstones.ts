import type { ChangeBatch } from '../ingest/state-capacity.ts';
import type { Workbench } from '../ingest/workbench.ts';
import { clamped } from '../state/change.ts';
import type { WalletEvent } from './event.ts';

/**
 * Remembers that an event was deleted. Without a time: all events of this type by the wallet on the item, from before
 * `now`.
 */
export function rememberDeleted(
  event: WalletEvent,
  now: number,
  { deletions }: Pick<Workbench, 'deletions'>,
  changes: ChangeBatch,
): void {
  deletions.add('item', nameOf(event), now, undefined, now, changes);
}

/** Whether an event was deleted, so that it changes nothing when it arrives again. An event without a time is new. */
export function isDeletedEvent(
  event: WalletEvent,
  { deletions }: Pick<Workbench, 'deletions'>,
  now: number,
): boolean {
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
