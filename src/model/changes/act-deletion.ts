import { type ChangeOf, defineChange } from '../define-change.ts';
import { event_type, mention, notPersonal, optional, time } from '../member.ts';

/**
 * Removes acts of a user on an item, as if they had never been recorded.
 *
 * Only for acts that are identified by their time, not for types of which one act counts nor for acts with an
 * `event_id`. A purge removes it together with the acts.
 */
export const ACT_DELETION = defineChange({
  kind: 'act_deletion',
  table: 'act_deletions',
  since: '0024_act_deletions',
  members: {
    user: notPersonal('The acts are deleted.', mention('user')),
    item: mention('item'),
    event_type,
    /** The time of the only act to remove, as in an interaction. Absent: all acts of the type that precede the change. */
    timestamp: optional(time),
  },
});

export type ActDeletionChange = ChangeOf<typeof ACT_DELETION>;
