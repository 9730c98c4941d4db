import { type ChangeOf, defineChange } from '../define-change.ts';
import { count, type Member } from '../member.ts';

const content: Member<Uint8Array, 'bytes'> = { type: 'bytes' };

/** All that was learnt from shown pages. A fold continues from it, whatever came before (`Learning.bytes`). */
export const LEARNING = defineChange({
  kind: 'learning',
  table: 'learnings',
  since: '0040_learning',
  members: {
    /** `Learning.revision`. A state with the same one has the same content. */
    revision: count,
    content,
  },
});

export type LearningChange = ChangeOf<typeof LEARNING>;
