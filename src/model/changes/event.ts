import { EVENT_SPACES } from '../acts.ts';
import { type ChangeOf, defineChange } from '../define-change.ts';
import { bit, code, integer, oneOf, orNone, subject, text, time } from '../member.ts';

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
  members: {
    /** The namespace of the identifier: interactions, follows and blocks are named separately. */
    space: oneOf(EVENT_SPACES),
    user: subject('user'),
    /** The keyed hash of everything that names the event, a signed 32-bit integer. */
    event_hash: integer,
    /** The followed or blocked user. NONE for interactions, and for reversals that came before their event. */
    target: orNone(subject('user')),
    item: orNone(subject('item')),
    /** The interaction type. 0 without one. */
    event_type: code,
    /** 1 done, 0 reversed */
    action: bit,
    timestamp: time,
    event_id: text,
  },
});

export type EventChange = ChangeOf<typeof EVENT>;
