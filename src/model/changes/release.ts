import { type ChangeOf, defineChange } from '../define-change.ts';
import { mention, mentions, notPersonal } from '../member.ts';

/**
 * Removes the author of items, which then stay when that user is erased.
 *
 * Items that belong to another author by then are not changed.
 */
export const RELEASE = defineChange({
  kind: 'release',
  table: 'releases',
  since: '0009_releases',
  members: {
    user: notPersonal('The user is erased with it.', mention('user')),
    items: mentions('item'),
  },
});

export type ReleaseChange = ChangeOf<typeof RELEASE>;
