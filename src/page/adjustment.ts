import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { createDecay } from './decay.ts';
import type { PageContext } from './page-context.ts';

type Factor = (item: Ordinal) => number;

/** The settings of a feed that adjust scores. */
type Adjusting = Pick<CompiledFeed, 'half_life_hours' | 'diversity'>;

/** What an adjustment depends on. */
type Adjusted = Pick<PageContext, 'now' | 'created_at' | 'author' | 'author_repeats'>;

/** The factors by which a feed multiplies scores, each from 0 to 1, by name. Only those that the feed has. */
export function adjustments(
  { half_life_hours, diversity }: Adjusting,
  context: Adjusted,
): { time_decay?: Factor; repeat_author_decay?: Factor } {
  const repeats = diversity?.repeat_author_decay;
  return {
    ...(half_life_hours === undefined ? {} : { time_decay: createDecay(context, half_life_hours) }),
    ...(repeats === undefined ? {} : { repeat_author_decay: repeatDecay(context, repeats) }),
  };
}

/**
 * The product of all factors of a feed. Undefined if it has none.
 *
 * It is at most 1, so an upper bound of a score is also one of the adjusted score.
 */
export function adjustmentOf(feed: Adjusting, context: Adjusted): Factor | undefined {
  const { time_decay, repeat_author_decay } = adjustments(feed, context);
  if (time_decay === undefined || repeat_author_decay === undefined) return time_decay ?? repeat_author_decay;
  return (item) => time_decay(item) * repeat_author_decay(item);
}

/** The decay once for each item of the author that the viewer was shown lately. 1 for items of unknown author. */
function repeatDecay({ author, author_repeats }: Adjusted, decay: number): Factor {
  return (item) => {
    const author_of_item = author(item);
    if (author_of_item === NONE) return 1;
    const repeats = author_repeats.get(author_of_item);
    return repeats === undefined ? 1 : decay ** repeats;
  };
}
