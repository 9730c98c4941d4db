import { type ChangeOf, defineChange } from '../define-change.ts';
import { code, type Member, viewer } from '../member.ts';
import { type ShownPage, shownPageBytes, shownPageOf } from '../shown-page.ts';

const page: Member<ShownPage, 'bytes'> = { type: 'bytes', store: shownPageBytes, restore: shownPageOf };

/**
 * A page that was shown to a viewer, for learning. Not all pages are stored.
 *
 * The rows of the last days stay. Before older ones are removed, `ShownCountsChange` stores what they count.
 */
export const SHOWN = defineChange({
  kind: 'shown',
  table: 'shown_pages',
  since: '0032_shown',
  members: {
    /** Empty if the viewer was erased. */
    viewer,
    /** The page stands for 2^halvings pages. */
    halvings: code,
    page,
  },
});

export type ShownChange = ChangeOf<typeof SHOWN>;
