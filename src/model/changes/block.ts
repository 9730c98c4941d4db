import { type ChangeOf, defineChange } from '../define-change.ts';
import { bit, since, subject, time } from '../member.ts';

export const BLOCK = defineChange({
  kind: 'block',
  table: 'blocks',
  members: {
    user: subject('user'),
    target: subject('user'),
    /** 1 block, 0 unblock */
    action: bit,
    timestamp: since('0019_block_times', time),
  },
});

export type BlockChange = ChangeOf<typeof BLOCK>;
