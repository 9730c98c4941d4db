import { type ChangeOf, defineChange } from '../define-change.ts';
import { count, subject, time } from '../member.ts';

/** Cumulative counters from the source, counted at `updated_at`. NONE: this counter was not sent. */
export const ENGAGEMENT = defineChange({
  kind: 'engagement',
  table: 'engagement',
  members: {
    item: subject('item'),
    likes_count: count,
    comments_count: count,
    shares_count: count,
    updated_at: time,
  },
});

export type EngagementChange = ChangeOf<typeof ENGAGEMENT>;
