import type { BoundSource, CompiledFeed } from '../feeds/compiled-feed.ts';
import { usuallyWanted } from '../plugin/wanted.ts';
import type { PageContext } from './page-context.ts';

/** How many candidates a page scores. */
export interface Breadth {
  /** The number of candidates. A page that is short of visible items scores more. */
  limit: number;
  /** Whether exactly as many are wanted: proposals beyond the limit are ignored, and missing ones filled up. */
  is_limited: boolean;
  /** The number of items that a source should propose. */
  wanted(source: BoundSource): number;
}

/**
 * The breadth of a feed for one page.
 * @param sources those that can propose anything
 *
 * Without a limit, sources propose what was measured to be enough for the built-in scoring functions. A default limit
 * of the scoring function only raises this number. The limit of a feed replaces it, but is at least the length of the
 * page. Under load both limits are reduced.
 */
export function breadthOf(
  sources: readonly BoundSource[],
  candidates: CompiledFeed['candidates'],
  context: PageContext,
): Breadth {
  const { page_length, effort } = context;
  const usual = (source: BoundSource) => usuallyWanted(source.per_item, context);
  const usual_sum = sources.reduce((sum, source) => sum + usual(source), 0);
  const least = candidates?.is_default === false ? page_length : Math.max(page_length, usual_sum);
  if (candidates === undefined) return { limit: least, is_limited: false, wanted: usual };
  const limit = Math.max(least, Math.ceil(effort * candidates.limit));
  const shares = sources.reduce((sum, { per_item }) => sum + per_item, 0);
  const wanted = ({ per_item }: BoundSource) => Math.max(1, Math.floor((limit * per_item) / shares));
  return { limit, is_limited: true, wanted };
}
