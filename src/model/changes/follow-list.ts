import { type ChangeOf, defineChange } from '../define-change.ts';
import { mentions, notPersonal, subject, time } from '../member.ts';

const OF_THE_FOLLOWER = 'It is data of the user who follows; `follower` lines name that user.';

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
    followed: notPersonal(OF_THE_FOLLOWER, mentions('user')),
    unfollowed: notPersonal(OF_THE_FOLLOWER, mentions('user')),
  },
});

export type FollowListChange = ChangeOf<typeof FOLLOW_LIST>;
