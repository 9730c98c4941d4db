import { type ChangeOf, defineChange } from '../define-change.ts';
import { mentions, subject, time } from '../member.ts';

/**
 * A complete follow list of a user, stored as the difference to the previous one.
 *
 * Older messages about any of the user's follows are ignored from now on.
 */
export const FOLLOW_LIST = defineChange({
  kind: 'follow_list',
  table: 'follow_lists',
  since: '0006_follow_lists',
  members: {
    user: subject('user'),
    timestamp: time,
    followed: mentions('user'),
    unfollowed: mentions('user'),
  },
});

export type FollowListChange = ChangeOf<typeof FOLLOW_LIST>;
