import { FEED_TYPES } from '../../plugin/index.ts';
import { type ChangeOf, defineChange } from '../define-change.ts';
import { integer, numbers, oneOf, text } from '../member.ts';

/**
 * What happens to a learnt model. `stored`: nothing, it is kept for the history. `fall_back`: that the feed fell back is
 * noted. Append only.
 */
const ACTIONS = ['stored', 'freeze', 'thaw', 'reset', 'fall_back'] as const;

/** A learnt model: its weights at a moment, or that somebody changed what it does. */
export const MODEL = defineChange({
  kind: 'model',
  table: 'models',
  since: '0040_learning',
  members: {
    feed_type: oneOf(FEED_TYPES),
    /** The number of the saved feed. 0: the network's model, which all feeds of the type begin with. */
    feed: integer,
    action: oneOf(ACTIONS),
    /** Of `stored`: see `StoredModel`. Empty otherwise. */
    numbers,
    /** Who did it, as in the audit log. Empty for `stored`. */
    actor: text,
  },
});

export type ModelChange = ChangeOf<typeof MODEL>;

/** What the history keeps of a model. */
export interface StoredModel {
  /** Pages that it learnt from. */
  pages: number;
  intercept: number;
  /** Used weights by the key of the signal. */
  weights: readonly (readonly [key: number, weight: number])[];
}

export function modelNumbers({ pages, intercept, weights }: StoredModel): Float64Array {
  return Float64Array.from([pages, intercept, ...weights.flat()]);
}

export function storedModel([pages, intercept, ...rest]: Float64Array): StoredModel {
  const weights = Array.from(
    { length: rest.length / 2 },
    (_, at) => [rest[2 * at], rest[2 * at + 1]] as const,
  );
  return { pages, intercept, weights };
}
