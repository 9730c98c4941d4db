import { type ChangeOf, defineChange } from '../define-change.ts';
import {
  described,
  event_type,
  integer,
  internal,
  notPersonal,
  oneOf,
  optional_text,
  orNone,
  since,
  subject,
  switched,
  text,
  time,
} from '../member.ts';
import { BLOCK } from './block.ts';
import { FOLLOW } from './follow.ts';
import { INTERACTION } from './interaction.ts';
import { USER_LIST } from './user-list.ts';

/** The namespaces of named events in the order of their stored codes. Append only. */
const EVENT_SPACES = [INTERACTION.kind, FOLLOW.kind, BLOCK.kind, USER_LIST.kind] as const;
export type EventSpace = (typeof EVENT_SPACES)[number];
/** Of acts of a user on an item or another user. */
export type ActSpace = Exclude<EventSpace, typeof USER_LIST.kind>;

/**
 * A named event of a network, or its reversal.
 *
 * Another change holds its effect. The store finds the event again by its hash.
 */
export const EVENT = defineChange({
  kind: 'event',
  table: 'event_ids',
  since: '0007_event_ids',
  is_beside_state: true,
  line: 'An event id of a follow, block, like, share, bookmark or member of their lists.',
  members: {
    /** The namespace of the identifier: interactions, follows, blocks and records of lists are named separately. */
    space: internal(oneOf(EVENT_SPACES)),
    user: subject('user'),
    /** The keyed hash of everything that names the event, a signed 32-bit integer. */
    event_hash: internal(integer),
    /** The followed, blocked or listed user. NONE for interactions and lists, and for reversals before their event. */
    target: notPersonal(
      'It is data of the user who follows, blocks or owns the list.',
      described('Identifier of the followed, blocked or listed user.', orNone(subject('user'))),
    ),
    item: described('Identifier of the item. Absent for follows and blocks.', orNone(subject('item'))),
    /** 0 without an item. */
    event_type: described('Type of the act on the item.', event_type, 'item'),
    action: described('Whether the event added the act or took it back.', switched('add', 'remove')),
    timestamp: described('When.', time),
    event_id: described('The event.', text),
    list_id: since(USER_LIST.since, described('The list, of a member.', optional_text)),
  },
});

export type EventChange = ChangeOf<typeof EVENT>;
