import { type ChangeOf, defineChange } from '../define-change.ts';
import {
  bit,
  described,
  internal,
  mentions,
  notPersonal,
  optional_text,
  orNone,
  subject,
  switched,
  text,
} from '../member.ts';

const OF_THE_OWNER =
  'It is data of the community or of the owner: a list may be about its members without their knowledge.';

/**
 * A new version of a list of users, stored as the difference to the previous one, or its deletion.
 *
 * All changes of a list until its deletion have the same owner, so that none of them is left of a list whose owner is
 * erased.
 */
export const USER_LIST = defineChange({
  kind: 'user_list',
  table: 'user_lists',
  since: '0038_lists',
  line: 'A change of a list of users that they own on their network.',
  members: {
    list_id: described('Identifier of the list.', text),
    /** Whose list it is on another network. NONE for lists of the operator. */
    owner: orNone(subject('user')),
    name: described('Name of the list.', optional_text),
    action: described('Whether the list exists since then.', switched('put', 'delete')),
    /** 1 if each entry is a record of a network: a user is on the list until all of their records are removed. */
    by_record: internal(bit),
    added: notPersonal(OF_THE_OWNER, described('Users that were added.', mentions('user'))),
    removed: notPersonal(OF_THE_OWNER, described('Users that were removed.', mentions('user'))),
  },
});

export type UserListChange = ChangeOf<typeof USER_LIST>;
