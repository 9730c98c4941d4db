import { type ChangeOf, defineChange } from '../define-change.ts';
import { notPersonal, optional, owner, since, subject, time } from '../member.ts';

/** Removes an item and the acts on it from every feed. A later item change brings the item back. */
export const DELETION = defineChange({
  kind: 'deletion',
  table: 'deletions',
  members: {
    item: subject('item'),
    /**
     * The item's author, if its versions have been purged and named one. So a later erasure of the author finds the item.
     */
    author: notPersonal('The item is deleted.', optional(owner)),
    /** Acts from this time on stay, in seconds. Absent: all acts are removed. */
    acts_before: since('0018_deleted_acts', optional(time)),
  },
});

export type DeletionChange = ChangeOf<typeof DELETION>;
