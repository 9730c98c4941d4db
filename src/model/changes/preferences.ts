import { type ChangeOf, defineChange } from '../define-change.ts';
import type { Key } from '../key.ts';
import { json, mentions, notPersonal, subject } from '../member.ts';
import type { Preferences } from '../records/preferences.ts';

/** Complete new preferences of a user. They name other users by keys, so that an erasure removes their identifiers. */
export const PREFERENCES = defineChange({
  kind: 'preferences',
  table: 'preferences',
  since: '0037_preferences',
  latest_per: 'user',
  members: {
    user: subject('user'),
    content: json<Preferences<Key>>(),
    /** The users whom the content names. */
    named: notPersonal('It is data of the user whose preferences they are.', mentions('user')),
  },
});

export type PreferencesChange = ChangeOf<typeof PREFERENCES>;
