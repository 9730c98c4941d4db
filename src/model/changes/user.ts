import { folded } from '../../plugin/folded.ts';
import { type ChangeOf, defineChange } from '../define-change.ts';
import { json, subject } from '../member.ts';
import type { UserContent } from '../records/user.ts';
import { storableText } from '../storable-text.ts';

const SEARCH_LENGTH_MAX = 100;

/** The form in which names of users are stored and searched: folded, and not longer than an index allows. */
export function searchText(name = ''): string {
  return storableText(folded(name).slice(0, SEARCH_LENGTH_MAX));
}

/** The migration that added the columns of names. */
const NAMES = '0015_user_search';

type Named = { content: Pick<UserContent, 'username' | 'display_name'> };

/** A complete new version of a user's profile. */
export const USER = defineChange({
  kind: 'user',
  table: 'users',
  latest_per: 'user',
  members: { user: subject('user'), content: json<UserContent>() },
  derived: {
    username: { type: 'text', since: NAMES, derive: ({ content }: Named) => searchText(content.username) },
    display_name: {
      type: 'text',
      since: NAMES,
      derive: ({ content }: Named) => searchText(content.display_name),
    },
  },
});

export type UserChange = ChangeOf<typeof USER>;
