import { type ChangeOf, defineChange } from '../define-change.ts';
import { described, optional, orNone, subject, switched, text, time } from '../member.ts';

/** The latest message about a label. It has an item or a user. */
export const LABEL = defineChange({
  kind: 'label',
  table: 'labels',
  since: '0039_labels',
  line: 'A label of the user, or one that the user put on an item or on another user.',
  is_about_content: true,
  members: {
    labeler: described('The account that labels.', subject('user')),
    item: described('The labelled item.', orNone(subject('item'))),
    user: described('The labelled user.', orNone(subject('user'))),
    value: described('The label.', text),
    action: described('Whether it was put or taken back.', switched('add', 'remove')),
    hides: described('Whether it hides the item or the user from everybody.', switched('hides', 'shows')),
    timestamp: described('When.', time),
    expires_at: described('When it ends. Absent: never.', optional(time)),
  },
});

export type LabelChange = ChangeOf<typeof LABEL>;
