import { ServiceError } from '../errors.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { Engine } from './engine.ts';
import { createContext } from './page-context.ts';

/** The time after which a request is worth repeating while the index is built. */
const RETRY_AFTER_SECONDS = 5;

/** What makes items similar: the users who acted on both, their embeddings, or either. */
type SimilarBy = 'acts' | 'meaning' | 'both';

export interface SimilarQuestion {
  item: Ordinal;
  by: SimilarBy;
  limit: number;
  /** Leaves out what this user must not see. NONE: a user without acts and blocks, or no user. */
  viewer: Ordinal;
  /** Whether the item itself must be one that the viewer may see. Moderators also ask for hidden items. */
  only_visible: boolean;
  now: number;
}

/** An item that is similar to another one. Both parts are from 0 to 1. */
export interface SimilarItem {
  item: Ordinal;
  acts: number;
  meaning: number;
  /** The part that was asked for, or the mean of both. */
  score: number;
}

/**
 * Items that are similar to one, best first, without those that no feed may show.
 *
 * By acts the best has 1, and by meaning an item with the same embedding. O(log of all items), about a millisecond.
 * @returns undefined if the item itself is not visible and must be
 * @throws ServiceError `loading` if meaning counts and the index of embeddings is still being built
 */
export function similarItems(
  engine: Engine,
  { item, by, limit, viewer, only_visible, now }: SimilarQuestion,
): SimilarItem[] | undefined {
  const { walk, meanings, scratch } = engine;
  if (by !== 'acts' && meanings.is_building) throw indexing(meanings);
  const context = createContext(engine, { viewer, now, page_length: limit, random: () => 0 });
  const visible = (other: Ordinal): boolean => {
    const author = context.item.author(other);
    return context.eligible(other) && (author === NONE || !context.viewer.is_blocked(author));
  };
  const admits = (other: Ordinal): boolean =>
    other !== item && visible(other) && !context.viewer.has_hidden(other) && !context.viewer.is_muted(other);
  try {
    if (only_visible && !visible(item)) return undefined;
    const acts = new Map<Ordinal, number>();
    if (by !== 'meaning') {
      const reached = scratch.accumulators.take();
      walk.similarTo(item, reached);
      let greatest = 0;
      reached.forEach((other, weight) => {
        if (!admits(other)) return;
        greatest = Math.max(greatest, weight);
        acts.set(other, weight);
      });
      for (const [other, weight] of acts) acts.set(other, weight / greatest);
    }
    const meaning = new Map<Ordinal, number>();
    if (by !== 'acts')
      for (const similar of meanings.similarTo(item, limit, admits))
        meaning.set(similar.item, similar.similarity);
    const parts = by === 'both' ? 2 : 1;
    const similar = [...new Set([...acts.keys(), ...meaning.keys()])].map((other) => {
      const [of_acts, of_meaning] = [acts.get(other) ?? 0, meaning.get(other) ?? 0];
      return { item: other, acts: of_acts, meaning: of_meaning, score: (of_acts + of_meaning) / parts };
    });
    const { names } = engine.state.items;
    similar.sort((one, other) => other.score - one.score || names.compare(one.item, other.item));
    return similar.slice(0, limit);
  } finally {
    context.page.ended = true;
    scratch.takeBack();
  }
}

function indexing({ figures: { indexed, waiting } }: Engine['meanings']): ServiceError {
  const progress = `${indexed} of ${indexed + waiting} embeddings are indexed since the start`;
  const detail = `by: ${progress}; send again later, or send by=acts`;
  return new ServiceError('loading', detail, undefined, RETRY_AFTER_SECONDS);
}
