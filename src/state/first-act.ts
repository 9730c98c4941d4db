import type { InteractionLog } from './interaction-log.ts';
import type { Interactions } from './interactions.ts';

/**
 * The time of the first act on an item that counts for the caller. Undefined if there is none.
 *
 * O(acts on the item + entries of its users beyond its log, as far as they are earlier than those acts).
 * @param counts whether an act counts, by its user, its type and its time
 */
export function firstActOn(
  interactions: Pick<Interactions, 'by_item' | 'by_user' | 'beyondLog'>,
  item: number,
  counts: (user: number, event_type: number, time: number) => boolean,
): number | undefined {
  const { by_item, by_user } = interactions;
  let first = Number.POSITIVE_INFINITY;
  const note = (log: InteractionLog, at: number, user: number): void => {
    const time = log.timestamp(at);
    if (time < first && counts(user, log.event_type(at), time)) first = time;
  };
  for (let at = by_item.start(item); at < by_item.end(item) && first === Number.POSITIVE_INFINITY; at++)
    note(by_item, at, by_item.other(at));
  for (const user of interactions.beyondLog(item)) {
    for (let at = by_user.start(user); at < by_user.end(user) && by_user.timestamp(at) < first; at++)
      if (by_user.other(at) === item && !by_user.removed(at)) note(by_user, at, user);
  }
  return first === Number.POSITIVE_INFINITY ? undefined : first;
}
