import type { ErasureFollowUp, Removal } from '../ingest/removals.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import { NONE } from '../model/key.ts';
import { firstActOn } from '../state/first-act.ts';
import type { State } from '../state/state.ts';
import { WALLET_EVENT_TYPES } from '../state/vocabulary.ts';
import type { WalletEvent } from './event.ts';
import { rememberDeleted } from './event-tombstones.ts';

/**
 * Removes the event times of an erased wallet from the creation times of items, and remembers its events that are at or
 * ahead of the clock: the tombstone of the wallet covers only earlier ones.
 *
 * An item without `created_at` in the catalog is as old as the event that created it. If that was an event of the
 * erased wallet, the first event left decides. Without one, an item that the catalog knows counts from the erasure, and
 * any other item is deleted. No tombstone remains, so a later event creates it again.
 */
export class ItemRedating implements ErasureFollowUp {
  constructor(private readonly state: State) {}

  itemsOf(wallet_address: string): string[] {
    const { users, items, interactions } = this.state;
    const user = users.names.find(wallet_address);
    if (user === NONE) return [];
    const { by_user } = interactions;
    const created = new Set<number>();
    for (let at = by_user.start(user); at < by_user.end(user); at++) {
      const item = by_user.other(at);
      if (items.described(item) && items.created_at(item) === by_user.timestamp(at)) created.add(item);
    }
    return Array.from(created, (item) => items.names.id(item));
  }

  add({ id: wallet_address, deleted_at }: Removal, batch: WriteBatch): void {
    const { users, items, interactions } = this.state;
    const user = users.names.find(wallet_address);
    for (const item_id of this.itemsOf(wallet_address)) {
      const first = firstActOn(interactions, items.names.find(item_id), (other) => other !== user);
      redate(item_id, first, batch);
    }
    // Events from after an earlier deletion count when they are sent again.
    if (deleted_at < batch.applied_at) return;
    for (const event of this.eventsFrom(user, deleted_at)) rememberDeleted(event, batch);
  }

  private *eventsFrom(user: number, time: number): Generator<WalletEvent> {
    const { users, items, interactions } = this.state;
    const { by_user } = interactions;
    if (user === NONE) return;
    const wallet_address = users.names.id(user);
    for (let at = by_user.firstAtOrAfter(user, time); at < by_user.end(user); at++) {
      const item_id = items.names.id(by_user.other(at));
      const event_type = WALLET_EVENT_TYPES[by_user.event_type(at)];
      yield { wallet_address, item_id, event_type, timestamp: by_user.timestamp(at) };
    }
  }
}

/**
 * Gives an item another creation time, unless the catalog knows its own. Deletes an item of which nothing is known any
 * more.
 * @param first time of the first event that stays; undefined if there is none
 */
export function redate(item_id: string, first: number | undefined, batch: WriteBatch): void {
  const content = batch.latest.item(item_id)?.content;
  if (content === undefined || content.dated === true || first === content.created_at) return;
  const is_catalogued = content.hidden !== undefined || content.metadata !== undefined;
  if (first === undefined && !is_catalogued) {
    batch.deleteItem(batch.context.item_keys.find(item_id));
    batch.setItem(item_id, undefined);
  } else batch.setItem(item_id, { content: { ...content, created_at: first ?? batch.applied_at } });
}
