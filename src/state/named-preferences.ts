import { NONE } from '../model/key.ts';
import { NO_PREFERENCES, type Preferences, withAuthors } from '../model/records/preferences.ts';
import type { State } from './state.ts';

/** The preferences of a user, without those about erased users. */
export function namedPreferences({ users, preferences }: State, user_id: string): Preferences {
  const { names } = users;
  return withAuthors(preferences.of(names.find(user_id)) ?? NO_PREFERENCES, (key) => {
    const author = names.ordinal(key);
    return author === NONE ? undefined : names.id(author);
  });
}

/** Whether some of a user's preferences are about users who have been erased since. */
export function nameErasedUsers({ users, preferences }: State, user_id: string): boolean {
  const { names } = users;
  let is_any_erased = false;
  withAuthors(preferences.of(names.find(user_id)) ?? NO_PREFERENCES, (key) => {
    is_any_erased ||= names.ordinal(key) === NONE;
    return key;
  });
  return is_any_erased;
}
