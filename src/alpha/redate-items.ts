import type { Base } from '../ingest/prepare.ts';
import type { ErasureFollowUp, Removal, RemovalBatch } from '../ingest/removals.ts';
import type { Latest } from '../ingest/versions.ts';
import type { Workbench } from '../ingest/workbench.ts';
import { type DeletionChange, type ItemContent, NONE } from '../state/change.ts';
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

  add(
    { id: wallet_address, deleted_at, now }: Pick<Removal, 'id' | 'deleted_at' | 'now'>,
    latest: Latest<Base<ItemContent>>,
    bench: Workbench,
    batch: RemovalBatch,
  ): void {
    const { users, items, interactions } = this.state;
    const user = users.names.find(wallet_address);
    for (const item_id of this.itemsOf(wallet_address)) {
      const first = firstActOn(interactions, items.names.find(item_id), (other) => other !== user);
      redate(item_id, latest, first, now, bench, batch);
    }
    // Events from after an earlier deletion count when they are sent again.
    if (deleted_at < now) return;
    for (const event of this.eventsFrom(user, now)) rememberDeleted(event, now, bench, batch.changes);
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
export function redate(
  item_id: string,
  latest: Latest<Base<ItemContent>>,
  first: number | undefined,
  now: number,
  bench: Workbench,
  batch: RemovalBatch,
): void {
  const content = latest(item_id)?.content;
  if (content === undefined || content.dated === true || first === content.created_at) return;
  const is_catalogued = content.hidden !== undefined || content.metadata !== undefined;
  const next = first === undefined && !is_catalogued ? undefined : { ...content, created_at: first ?? now };
  replace(item_id, next, now, bench, batch);
}

/** @param content undefined deletes the item */
function replace(
  item_id: string,
  content: ItemContent | undefined,
  now: number,
  { item_keys, item_versions, preparer, queued_changes }: Workbench,
  { changes, onApplied }: RemovalBatch,
): void {
  const item = item_keys.find(item_id);
  if (content !== undefined) preparer.describe(item, { content }, now, changes);
  else {
    const deletion: DeletionChange = { kind: 'deletion', item, seq: 0, applied_at: now };
    changes.push(deletion);
    queued_changes.deleted(deletion);
  }
  const version = item_versions.set(item_id, content === undefined ? undefined : { content });
  onApplied.push(() => item_versions.applied(item_id, version));
}
