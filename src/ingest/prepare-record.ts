/** What every way of ingesting does with one record: check it against deletions, then prepare its changes. */
import type { ItemContent, UserContent } from '../state/change.ts';
import { type EventSlice, isNamed } from './event-acts.ts';
import type { PreparedEvent } from './new-events.ts';
import type { NewVersion } from './new-versions.ts';
import type { Base } from './prepare.ts';
import { datedAhead } from './record-warnings.ts';
import type {
  BlockRecord,
  EventRemoval,
  FollowRecord,
  InteractionRecord,
  ItemRecord,
  UserRecord,
} from './records/index.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Workbench } from './workbench.ts';

/** Acts of users, or their removals. */
export type ActRecord = FollowRecord | BlockRecord | InteractionRecord | EventRemoval;

/** @throws ServiceError `state_full`, without any change */
export function prepareItem(
  { deletions, preparer }: Pick<Workbench, 'deletions' | 'preparer'>,
  record: ItemRecord,
  base: Base<ItemContent> | undefined,
  applied_at: number,
  changes: ChangeBatch,
): NewVersion<Base<ItemContent>> {
  const outdated = deletions.outdatedItem(record, applied_at);
  if (outdated !== undefined) return { version: undefined, warnings: [outdated] };
  const prepared = preparer.item(record, base, applied_at, changes);
  if (record.revive) deletions.lift('item', record.item_id, applied_at, changes);
  return { ...prepared, warnings: datedAhead({ ...record.content, ...record.counters }, applied_at) };
}

/** @throws ServiceError `state_full`, without any change */
export function prepareUser(
  { deletions, preparer }: Pick<Workbench, 'deletions' | 'preparer'>,
  record: UserRecord,
  base: UserContent | undefined,
  applied_at: number,
  changes: ChangeBatch,
): NewVersion<UserContent> {
  const outdated = deletions.outdatedUser(record, base !== undefined, applied_at);
  if (outdated !== undefined) return { version: undefined, warnings: [outdated] };
  const version = preparer.user(record, base, applied_at, changes);
  if (record.revive) deletions.lift('user', record.user_id, applied_at, changes);
  return { version, warnings: datedAhead(record.content, applied_at) };
}

/** Check it with `Deletions.outdatedAct` first. @throws ServiceError `state_full`, without any change */
export function prepareAct(
  { event_acts, preparer }: Pick<Workbench, 'event_acts' | 'preparer'>,
  record: ActRecord,
  slice: EventSlice,
): PreparedEvent {
  const { applied_at, changes } = slice;
  if ('space' in record) return { warnings: event_acts.remove(record, slice) };
  if (isNamed(record)) return { warnings: event_acts.take(record, slice) };
  if ('item_id' in record) return { faults: preparer.interaction(record, applied_at, changes) };
  preparer.relation(record, applied_at, changes);
  return {};
}
