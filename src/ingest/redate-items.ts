import { NONE } from '../model/key.ts';
import { firstActOn } from '../state/first-act.ts';
import type { State } from '../state/state.ts';
import type { WriteBatch } from './write-batch.ts';

/**
 * Where acts create items (`Habits.acts_create_items`), an item that no record has dated is as old as one of its acts.
 * When that act goes, the first act left decides.
 */

/** The items that are as old as an act of this user. */
export function itemsDatedBy(user_id: string, { users, items, interactions, vocabulary }: State): string[] {
  const user = users.names.find(user_id);
  if (user === NONE || !vocabulary.habits.acts_create_items) return [];
  const { by_user } = interactions;
  const dated = new Set<number>();
  for (let at = by_user.start(user); at < by_user.end(user); at++) {
    const item = by_user.other(at);
    if (items.described(item) && items.created_at(item) === by_user.timestamp(at)) dated.add(item);
  }
  return Array.from(dated, (item) => items.names.id(item));
}

/**
 * Gives an item, whose latest version the batch has, the time of its first act left. Without one, an item that the
 * catalog knows counts from now, and any other item is deleted. That leaves no tombstone, so a later act creates it
 * again.
 * @param goes whether an act goes, by its user, its type and its time
 */
export function redateItem(
  item_id: string,
  goes: (user: number, event_type: number, time: number) => boolean,
  batch: WriteBatch,
): void {
  const { items, interactions } = batch.context.state;
  const content = batch.latest.item(item_id)?.content;
  if (content === undefined || content.dated === true) return;
  const first = firstActOn(interactions, items.names.find(item_id), (...act) => !goes(...act));
  if (first === content.created_at) return;
  const is_catalogued = content.hidden !== undefined || content.metadata !== undefined;
  if (first === undefined && !is_catalogued) {
    batch.deleteItem(batch.context.item_keys.find(item_id));
    batch.setItem(item_id, undefined);
  } else batch.setItem(item_id, { content: { ...content, created_at: first ?? batch.applied_at } });
}
