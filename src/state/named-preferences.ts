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
