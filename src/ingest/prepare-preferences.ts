import { invalidValue } from '../errors.ts';
import { PREFERENCES } from '../model/changes/preferences.ts';
import {
  faultsOfPreferences,
  type GivenPreferences,
  NO_PREFERENCES,
  type Preferences,
  patched,
  withAuthors,
} from '../model/records/preferences.ts';
import { namedPreferences, nameErasedUsers } from '../state/named-preferences.ts';
import type { WriteBatch } from './write-batch.ts';

export interface PreferencesRecord {
  user_id: string;
  given: GivenPreferences;
  /** Whether what is not given stays as it is. */
  is_patch: boolean;
}

/**
 * Adds a change of the preferences of a user, who is named if necessary, unless they are known already.
 * @returns the complete preferences
 * @throws ServiceError `invalid_value`, `state_full`, without any change
 */
export function addPreferences(
  { user_id, given, is_patch }: PreferencesRecord,
  batch: WriteBatch,
): Preferences {
  const { applied_at, context } = batch;
  const queued = context.preferences.get(user_id)?.content;
  const former = queued ?? namedPreferences(context.state, user_id);
  const preferences = patched(is_patch ? former : NO_PREFERENCES, given);
  const faults = faultsOfPreferences(preferences);
  if (faults.length > 0) throw invalidValue(faults);
  const ids = new Set<string>();
  withAuthors(preferences, (id) => ids.add(id));
  const { estimates } = context;
  // What names erased users takes room until it is replaced.
  const is_outdated = queued === undefined && nameErasedUsers(context.state, user_id);
  const is_same = !is_outdated && Bun.deepEquals(preferences, former);
  batch.require(is_same ? estimates.users([user_id]) : estimates.preferences(user_id, preferences, ids));
  const user = batch.userKey(user_id);
  if (is_same) return preferences;
  const content = withAuthors(preferences, (id) => batch.userKey(id));
  const named = Uint32Array.from(ids, (id) => batch.userKey(id));
  batch.onApplied.push(context.preferences.set(user_id, preferences));
  batch.push({ kind: PREFERENCES.kind, user, content, named, seq: 0, applied_at });
  return preferences;
}
