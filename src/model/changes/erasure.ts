import { type ChangeOf, defineChange } from '../define-change.ts';
import { mention, notPersonal, orNone, since, viewer } from '../member.ts';

const ERASED = 'An erased person has no export.';

/** Erases a user with all their acts and items, and what they saw. Contains no identifier. */
export const ERASURE = defineChange({
  kind: 'erasure',
  table: 'erasures',
  members: {
    /** NONE: a viewer without a user record. */
    user: notPersonal(ERASED, orNone(mention('user'))),
    /** Empty in erasures from before there were rows of what viewers saw. */
    viewer: notPersonal(ERASED, since('0031_viewers_erased', viewer)),
  },
});

export type ErasureChange = ChangeOf<typeof ERASURE>;
