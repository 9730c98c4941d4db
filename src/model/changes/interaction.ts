import { type ChangeOf, defineChange } from '../define-change.ts';
import { bit, code, subject, text, time } from '../member.ts';

/** One act of a user on an item. */
export const INTERACTION = defineChange({
  kind: 'interaction',
  table: 'interactions',
  members: {
    user: subject('user'),
    item: subject('item'),
    /** code of the community's vocabulary; for content an index into `EVENT_TYPES` */
    event_type: code,
    /** 1 add, 0 remove */
    action: bit,
    timestamp: time,
    /** Identifies comments. Empty: the timestamp does. */
    event_id: text,
  },
});

export type InteractionChange = ChangeOf<typeof INTERACTION>;
