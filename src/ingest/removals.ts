/**
 * Deletes items and users.
 *
 * Each deletion leaves a tombstone even if there is nothing to delete, because the deletion may have overtaken its
 * subject.
 */

import { invalidValue } from '../errors.ts';
import { WALLET_EVENT_TYPES } from '../model/acts.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { RELEASE } from '../model/changes/release.ts';
import { type Key, NONE, type Space } from '../model/key.ts';
import { datedAhead } from './record-warnings.ts';
import { itemsDatedBy, redateItem } from './redate-items.ts';
import type { WriteBatch } from './write-batch.ts';

export interface RemovalOptions {
  /** Time of the deletion at its source, in seconds. Absent: now. */
  timestamp?: number;
  /** For users: whether their items stay, without an author. */
  keep_items?: boolean;
  /** The account that deletes, which has a share of the write queue. Absent: the service itself. */
  account?: string;
}

export interface RemovalResult {
  /** Whether a time was given, so that it may be an old deletion that arrives late or again. */
  is_dated: boolean;
  warnings: string[];
  outcome: 'done' | 'outdated' | 'missed';
}

export interface Removal extends RemovalResult {
  space: Space;
  id: string;
  /** seconds, not in the future */
  deleted_at: number;
}

export function removeItem(id: string, options: RemovalOptions, batch: WriteBatch): Removal {
  const removal = removalOf('item', id, options, batch);
  const { state, item_keys, queued_changes } = batch.context;
  const { content } = batch.latest.item(id) ?? {};
  const version_at = content?.updated_at ?? content?.created_at;
  const exists = batch.context.itemExists(id);
  if (exists && isOutdated(removal, version_at, batch)) return removal;
  if (!exists) noteMissed(removal, batch);
  const { is_dated, deleted_at } = removal;
  const item = item_keys.find(id);
  const ordinal = state.items.names.find(id);
  const is_deleted = ordinal !== NONE && state.items.deleted(ordinal);
  // Also without an item, acts from before its deletion are deleted. Only a later deletion finds some again.
  const takes_acts = is_dated ? !isRepeated(removal, batch) : !is_deleted && !queued_changes.deletes(item);
  // Records are accepted in any order, so acts from after a dated deletion may be known already.
  if (item !== NONE && (exists || takes_acts)) batch.deleteItem(item, is_dated ? deleted_at : undefined);
  remember(removal, version_at, batch);
  batch.setItem(id, undefined);
  return removal;
}

/**
 * Adds the erasure of a user, or of a viewer without a user record, to a batch. Nothing else may be prepared until it is applied, because it deletes the user's
 * items then, also those that are prepared until then.
 * @throws ServiceError `invalid_value` if the items of a hidden user are to be kept
 */
export function eraseUser(id: string, options: RemovalOptions, batch: WriteBatch): Removal {
  const removal = removalOf('user', id, options, batch);
  const { applied_at } = batch;
  const { user_keys } = batch.context;
  const { updated_at, created_at } = batch.latest.user(id) ?? {};
  const version_at = updated_at ?? created_at;
  const user = user_keys.find(id);
  const exists = user !== NONE || batch.latest.strangers.has(id);
  if (exists && isOutdated(removal, version_at, batch)) return removal;
  if (!exists) {
    noteMissed(removal, batch);
    remember(removal, version_at, batch);
    return removal;
  }
  if (options.keep_items && user !== NONE)
    batch.push({ kind: RELEASE.kind, user, items: itemsOf(id, batch), seq: 0, applied_at });
  user_keys.markErased(id);
  batch.setUser(id, undefined);
  batch.push({ kind: ERASURE.kind, user, viewer: batch.context.viewerOf(id), seq: 0, applied_at });
  remember(removal, version_at, batch);
  batch.onApplied.push(() => user_keys.erased(id));
  batch.is_barrier = true;
  if (batch.context.state.vocabulary.habits.acts_create_items) forgetEvents(removal, batch);
  return removal;
}

function removalOf(
  space: Space,
  id: string,
  { timestamp }: RemovalOptions,
  { applied_at }: WriteBatch,
): Removal {
  const deleted_at = Math.min(timestamp ?? applied_at, applied_at);
  const warnings = datedAhead({ timestamp }, applied_at);
  return { space, id, deleted_at, is_dated: timestamp !== undefined, warnings, outcome: 'done' };
}

/**
 * Gives the items that an erased wallet has dated other times, and remembers its events that are at or ahead of the
 * clock: the tombstone of the wallet covers only earlier ones.
 */
function forgetEvents({ id: wallet_address, deleted_at }: Removal, batch: WriteBatch): void {
  const { state, deletions } = batch.context;
  const { users, items, interactions } = state;
  const user = users.names.find(wallet_address);
  for (const item_id of itemsDatedBy(wallet_address, state))
    redateItem(item_id, (other) => other === user, batch);
  // Events from after an earlier deletion count when they are sent again.
  if (user === NONE || deleted_at < batch.applied_at) return;
  const { by_user } = interactions;
  for (let at = by_user.firstAtOrAfter(user, deleted_at); at < by_user.end(user); at++) {
    const item_id = items.names.id(by_user.other(at));
    const event_type = WALLET_EVENT_TYPES[by_user.event_type(at)];
    deletions.addEvent({ wallet_address, item_id, event_type, timestamp: by_user.timestamp(at) }, [], batch);
  }
}

/** Keys of the items of a user, including queued ones. */
function itemsOf(user_id: string, { context }: WriteBatch): Uint32Array {
  const { users, items, by_author } = context.state;
  const user = users.names.find(user_id);
  const keys = new Set<Key>();
  if (user !== NONE) {
    if (users.hidden(user)) throw hiddenAuthor(user_id);
    for (let at = by_author.start(user); at < by_author.end(user); at++)
      keys.add(items.names.key(by_author.item(at)));
  }
  for (const [item_id, { content: version }] of context.item_versions.entries()) {
    if (version?.author === user_id) keys.add(context.item_keys.find(item_id));
  }
  return Uint32Array.from(keys);
}

/** Whether a dated deletion is older than the current version, or was executed before. Then adds a warning. */
function isOutdated(removal: Removal, version_at: number | undefined, batch: WriteBatch): boolean {
  const { id, deleted_at, is_dated, warnings } = removal;
  if (!is_dated) return false;
  const is_older = version_at !== undefined && deleted_at < version_at;
  if (!is_older && !isRepeated(removal, batch)) return false;
  removal.outcome = 'outdated';
  const why = is_older ? 'has a version that is newer than this deletion' : 'came back after this deletion';
  warnings.push(`${nounOf(removal, batch)} '${id}' ${why}: nothing was deleted`);
  return true;
}

/** Whether this or a later deletion is known already. */
function isRepeated(
  { space, id, deleted_at, is_dated }: Removal,
  { context, applied_at }: WriteBatch,
): boolean {
  const former = is_dated ? context.deletions.find(space, id, applied_at) : undefined;
  return former !== undefined && former.deleted_at >= deleted_at;
}

function noteMissed(removal: Removal, batch: WriteBatch): void {
  removal.outcome = 'missed';
  const missing = `there is no ${nounOf(removal, batch)} '${removal.id}'`;
  removal.warnings.push(`${missing}; a version from before this deletion will change nothing`);
}

function nounOf({ space }: Removal, { context }: WriteBatch): string {
  return space === 'user' ? context.state.vocabulary.habits.user_noun : space;
}

function remember(
  { space, id, deleted_at }: Removal,
  version_at: number | undefined,
  batch: WriteBatch,
): void {
  batch.context.deletions.add(space, id, deleted_at, version_at, batch);
}

function hiddenAuthor(user_id: string) {
  const message = `user '${user_id}' is hidden, and without them their items would be shown again; hide the items, or erase them too`;
  return invalidValue([{ path: '/keep_items', message }]);
}
