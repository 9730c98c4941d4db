import { type ChangeOf, defineChange } from '../define-change.ts';
import { bit, subject, time } from '../member.ts';

export const FOLLOW = defineChange({
  kind: 'follow',
  table: 'follows',
  members: {
    user: subject('user'),
    target: subject('user'),
    timestamp: time,
    /** 1 follow, 0 unfollow */
    action: bit,
  },
});

export type FollowChange = ChangeOf<typeof FOLLOW>;
