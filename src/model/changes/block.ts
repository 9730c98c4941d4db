import { type ChangeOf, defineChange } from '../define-change.ts';
import { described, notPersonal, since, subject, switched, time } from '../member.ts';

export const BLOCK = defineChange({
  kind: 'block',
  table: 'blocks',
  line: 'A user whom they block or blocked.',
  members: {
    user: subject('user'),
    target: notPersonal(
      'It is data of the user who blocks.',
      described('Identifier of the other user.', subject('user')),
    ),
    action: described('Whether they still block the user.', switched('block', 'unblock')),
    timestamp: since('0019_block_times', described('Since when.', time)),
  },
});

export type BlockChange = ChangeOf<typeof BLOCK>;
