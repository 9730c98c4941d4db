import { type ChangeOf, defineChange } from '../define-change.ts';
import { bit, keys, numbers, since } from '../member.ts';

/** What shown pages have counted so far. A fold continues from it, whatever came before. */
export const SHOWN_COUNTS = defineChange({
  kind: 'shown_counts',
  table: 'shown_counts',
  since: '0032_shown',
  members: {
    /** 1 if it begins a list of how often items were shown; 0 if it continues one, or has no items. */
    is_first: bit,
    items: keys,
    counts: keys,
    /** `FeedDays.numbers`. Empty: unchanged. */
    feed_days: since('0034_feed_days', numbers),
  },
});

export type ShownCountsChange = ChangeOf<typeof SHOWN_COUNTS>;
