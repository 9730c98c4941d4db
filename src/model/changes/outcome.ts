import { type ChangeOf, defineChange } from '../define-change.ts';
import { code, hex, integer, mention, time } from '../member.ts';

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
    event_type: code,
    /** Clamped, see `clamped`. */
    timestamp: time,
    /** 16 bytes as hexadecimal text, see `seen/seen-store.ts`. */
    viewer: hex,
    item: mention('item'),
  },
});

export type OutcomeChange = ChangeOf<typeof OUTCOME>;
