import { type ChangeOf, defineChange } from '../define-change.ts';
import { described, event_type, optional_text, subject, switched, time } from '../member.ts';

/** One act of a user on an item. */
export const INTERACTION = defineChange({
  kind: 'interaction',
  table: 'interactions',
  line: 'An act on an item, in order of arrival, including acts that were replaced later.',
  members: {
    user: subject('user'),
    item: described('The item.', subject('item')),
    event_type: described('Type of the act.', event_type),
    action: described('Whether the act was added or taken back.', switched('add', 'remove')),
    timestamp: described('When.', time),
    /** Identifies comments. Empty: the timestamp does. */
    event_id: described('Distinguishes comments.', optional_text),
  },
});

export type InteractionChange = ChangeOf<typeof INTERACTION>;
