import { type ChangeOf, defineChange } from '../define-change.ts';
import { SPACES } from '../key.ts';
import { inColumn, integer, oneOf, time } from '../member.ts';

/**
 * Remembers a deletion for a while, so that a late delivery does not undo it.
 *
 * It identifies the deleted user or item by a keyed hash alone (`Tombstones.hash`).
 */
export const TOMBSTONE = defineChange({
  kind: 'tombstone',
  table: 'tombstones',
  since: '0008_tombstones',
  members: {
    space: oneOf(SPACES),
    low: inColumn('hash_low', integer),
    high: inColumn('hash_high', integer),
    deleted_at: time,
    versions_from: time,
  },
});

export type TombstoneChange = ChangeOf<typeof TOMBSTONE>;
