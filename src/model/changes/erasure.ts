import { type ChangeOf, defineChange } from '../define-change.ts';
import { mention, orNone, since, text } from '../member.ts';

/** Erases a user with all their acts and items, and what they saw. Contains no identifier. */
export const ERASURE = defineChange({
  kind: 'erasure',
  table: 'erasures',
  members: {
    /** NONE: a viewer without a user record. */
    user: orNone(mention('user')),
    /** Their row of seen items, see `viewerHash`. Empty in erasures from before there were such rows. */
    viewer: since('0031_viewers_erased', text),
  },
});

export type ErasureChange = ChangeOf<typeof ERASURE>;
