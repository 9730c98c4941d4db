import { type ChangeOf, defineChange } from '../define-change.ts';
import { event_type, integer, mention, notPersonal, time, viewer_bytes } from '../member.ts';

/**
 * An act of a viewer whom a running experiment assigned to a variant. Another change holds the act itself.
 *
 * Whether it follows a page of the variant is decided when results are read.
 */
export const OUTCOME = defineChange({
  kind: 'outcome',
  table: 'outcomes',
  since: '0030_experiment_pages',
  is_beside_state: true,
  members: {
    arm: integer,
    event_type,
    /** Clamped, see `clamped`. */
    timestamp: time,
    viewer: notPersonal('`interaction` lines have the act.', viewer_bytes),
    item: mention('item'),
  },
});

export type OutcomeChange = ChangeOf<typeof OUTCOME>;
