import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type RequestContext } from '../plugin/index.ts';
import type { Score } from '../signals/ranking-building.ts';
import type { Boosts } from './boosts.ts';

type Aging = Pick<RequestContext, 'now' | 'item'>;

const SECONDS_PER_HOUR = 3600;
/** Maximum exponent for items that are dated ahead, so that no factor becomes infinite. */
const AHEAD_MAX = 1000;

/** The age factor of an item: halved every `half_life_hours`. 1 for items dated ahead, and without a half-life. */
export function createDecay(context: Aging, half_life_hours: number | undefined): (item: Ordinal) => number {
  if (half_life_hours === undefined) return () => 1;
  const exponent = -1 / (half_life_hours * SECONDS_PER_HOUR);
  return (item) => {
    const age = context.now - context.item.created_at(item);
    // For the shortest half-lives the exponent is infinite, and infinity times age 0 would be NaN.
    return age > 0 ? 2 ** (age * exponent) : 1;
  };
}

/**
 * The age factor for cached rankings.
 *
 * It exceeds 1 for items dated ahead, so all items fade at the same rate and their order is stable.
 */
function createFading(context: Aging, half_life_hours: number): (item: Ordinal) => number {
  const exponent = -1 / (half_life_hours * SECONDS_PER_HOUR);
  return (item) => {
    const age = context.now - context.item.created_at(item);
    return age === 0 ? 1 : 2 ** Math.min(AHEAD_MAX, age * exponent);
  };
}

/** A signal with the fading of its cached ranking. @throws Error if no plugin registered it */
export function faded(
  context: Aging & Pick<RequestContext, 'signal'>,
  signal: string,
  half_life_hours: number | undefined,
): Score {
  const score = context.signal(signal);
  if (half_life_hours === undefined) return score;
  const fading = createFading(context, half_life_hours);
  return (item) => score(item) * fading(item);
}

/** The factor by which scores fade in some seconds. Greater than 1 for negative seconds. 1 without a half-life. */
export function decayOver(seconds: number, half_life_hours: number | undefined): number {
  return half_life_hours === undefined || seconds === 0
    ? 1
    : 2 ** Math.min(AHEAD_MAX, -seconds / (half_life_hours * SECONDS_PER_HOUR));
}

type Factor = (item: Ordinal) => number;

type Adjusting = Pick<CompiledFeed, 'half_life_hours' | 'diversity' | 'scoring'>;

export type Adjusted = Aging & { author_repeats: ReadonlyMap<Ordinal, number>; boosts: Boosts | undefined };

/**
 * The factors by which a feed multiplies scores, by name. Only those that the feed has, and `more` and `less` of the
 * viewer, unless the feed is in the exact order of a ranking.
 */
export function adjustments(
  { half_life_hours, diversity, scoring }: Adjusting,
  context: Adjusted,
): { [name: string]: Factor } {
  const repeats = diversity?.repeat_author_decay;
  return {
    ...(half_life_hours === undefined ? {} : { time_decay: createDecay(context, half_life_hours) }),
    ...(repeats === undefined ? {} : { repeat_author_decay: repeatDecay(context, repeats) }),
    ...(scoring.in_order ? {} : context.boosts?.factors),
  };
}

/** The product of all factors of a feed. Undefined if it has none. */
export function adjustmentOf(feed: Adjusting, context: Adjusted): Factor | undefined {
  const factors = Object.values(adjustments(feed, context));
  if (factors.length === 0) return undefined;
  return factors.reduce((one, other) => (item) => one(item) * other(item));
}

/** The decay once for each item of the author that the viewer was shown lately. 1 for items of unknown author. */
function repeatDecay({ item: { author }, author_repeats }: Adjusted, decay: number): Factor {
  return (item) => {
    const author_of_item = author(item);
    if (author_of_item === NONE) return 1;
    const repeats = author_repeats.get(author_of_item);
    return repeats === undefined ? 1 : decay ** repeats;
  };
}
