import type { Ordinal, RequestContext } from '../plugin/index.ts';
import type { Score } from '../signals/ranking-building.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';

/** What the age of an item is reckoned from. */
type Aging = Pick<RequestContext, 'now' | 'created_at'>;

/**
 * Step 2, spec 1.2: scores a batch of candidates into the queue. Scoring only orders, it drops nothing.
 * @param score or what it never exceeds
 */
export function rank(batch: readonly Ordinal[], score: (item: Ordinal) => number, queue: ScoredQueue): void {
  for (const item of batch) queue.add(item, score(item));
}

const SECONDS_PER_HOUR = 3600;
/** Powers of two by which an item dated ahead is worth more than one of now, at most: nothing becomes infinite. */
const AHEAD_MAX = 1000;

/**
 * The factor of an item's age: halved every `half_life_hours`, 1 for items dated in the future; 1 for all
 * without a half-life.
 */
export function createDecay(request: Aging, half_life_hours: number | undefined): (item: Ordinal) => number {
  if (half_life_hours === undefined) return () => 1;
  const exponent = -1 / (half_life_hours * SECONDS_PER_HOUR);
  return (item) => {
    const age = request.now - request.created_at(item);
    // With the shortest of half-lives the exponent is infinite.
    return age > 0 ? 2 ** (age * exponent) : 1;
  };
}

/**
 * The same for rankings that are kept: it goes on beyond 1 for items dated in the future, so that all items fade alike as
 * time passes, and their order stays.
 */
function createFading(request: Aging, half_life_hours: number): (item: Ordinal) => number {
  const exponent = -1 / (half_life_hours * SECONDS_PER_HOUR);
  return (item) => {
    const age = request.now - request.created_at(item);
    return age === 0 ? 1 : 2 ** Math.min(AHEAD_MAX, age * exponent);
  };
}

/** A signal as its kept ranking has it. @throws Error for one that no plugin registered */
export function faded(
  request: Aging & Pick<RequestContext, 'signal'>,
  signal: string,
  half_life_hours: number | undefined,
): Score {
  const score = request.signal(signal);
  if (half_life_hours === undefined) return score;
  const fading = createFading(request, half_life_hours);
  return (item) => score(item) * fading(item);
}

/** How much is left of a score after some seconds, or was more of it before, whatever the item; 1 without a half-life. */
export function fadedIn(seconds: number, half_life_hours: number | undefined): number {
  return half_life_hours === undefined || seconds === 0
    ? 1
    : 2 ** Math.min(AHEAD_MAX, -seconds / (half_life_hours * SECONDS_PER_HOUR));
}
