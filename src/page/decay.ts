import type { Ordinal, RequestContext } from '../plugin/index.ts';
import type { Score } from '../signals/ranking-building.ts';

/** The parts of a request that the age of an item depends on. */
type Aging = Pick<RequestContext, 'now' | 'created_at'>;

const SECONDS_PER_HOUR = 3600;
/** Maximum exponent for items that are dated ahead, so that no factor becomes infinite. */
const AHEAD_MAX = 1000;

/** The age factor of an item: halved every `half_life_hours`. 1 for items dated ahead, and without a half-life. */
export function createDecay(context: Aging, half_life_hours: number | undefined): (item: Ordinal) => number {
  if (half_life_hours === undefined) return () => 1;
  const exponent = -1 / (half_life_hours * SECONDS_PER_HOUR);
  return (item) => {
    const age = context.now - context.created_at(item);
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
    const age = context.now - context.created_at(item);
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
