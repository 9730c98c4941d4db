import { type ChangeOf, defineChange } from '../define-change.ts';
import { described, notPersonal, subject, switched, time } from '../member.ts';

export const FOLLOW = defineChange({
  kind: 'follow',
  table: 'follows',
  line: 'A user whom they follow or followed.',
  members: {
    user: subject('user'),
    target: notPersonal(
      'It is data of the user who follows; `follower` lines name that user.',
      described('Whom.', subject('user')),
    ),
    timestamp: described('Since when.', time),
    action: described('Whether they still follow the user.', switched('follow', 'unfollow')),
  },
});

export type FollowChange = ChangeOf<typeof FOLLOW>;
