import { seededRandom } from '../clock.ts';
import type { EventType } from '../model/acts.ts';
import type { Acts } from './columns.ts';
import type { Timeline } from './timeline.ts';

/** Minimum number of earlier interactions of a user to evaluate. */
const EARLIER_ACTS_MIN = 2;

/**
 * Removes views of items that the same user later acts on, unless views are the acts to predict.
 *
 * A feed shows no item twice, so an item that was viewed could never be on the page.
 * @param from index of an act
 * @returns its index among the remaining acts
 */
export function withholdViews(timeline: Timeline, events: ReadonlySet<EventType>, from: number): number {
  const { acts } = timeline;
  if (events.has('view')) return from;
  const acted_on = new Set<number>();
  for (let act = 0; act < acts.length; act++) {
    if (acts.engages(act) && acts.event_type(act) !== 'view') acted_on.add(pairOf(acts, act));
  }
  const withheld = (act: number) => acts.event_type(act) === 'view' && acted_on.has(pairOf(acts, act));
  let left = 0;
  for (let act = 0; act < from; act++) if (!withheld(act)) left++;
  timeline.withhold(withheld);
  return left;
}

/**
 * The acts to predict: the first interaction of a user with an item, if its type is in `events` and the user has at
 * least two earlier interactions (possibly with one item). Call `withholdViews` first.
 * @param from index of the first act to consider
 * @returns indexes of acts, in order
 */
export function findTargets(acts: Acts, events: ReadonlySet<EventType>, from: number): number[] {
  const met = new Set<number>();
  const earlier = new Map<number, number>();
  const found: number[] = [];
  for (let act = 0; act < acts.length; act++) {
    if (!acts.engages(act)) continue;
    const user = acts.user[act];
    const known = earlier.get(user) ?? 0;
    earlier.set(user, known + 1);
    if (met.has(pairOf(acts, act))) continue;
    met.add(pairOf(acts, act));
    if (act >= from && known >= EARLIER_ACTS_MIN && events.has(acts.event_type(act))) found.push(act);
  }
  return found;
}

/** The user and the item of an act, as one number. */
export function pairOf(acts: Acts, act: number): number {
  return pairKey(acts.user[act], acts.item[act]);
}

/** Two indexes as one number. */
export function pairKey(one: number, other: number): number {
  return one * 2 ** 26 + other;
}

/** A uniform sample of at most `count` elements, in order (Knuth, TAOCP 2, 3.4.2, algorithm S). */
export function sampled<T>(all: readonly T[], count: number | undefined, seed: number): readonly T[] {
  if (count === undefined || count >= all.length) return all;
  const random = seededRandom(seed);
  const chosen: T[] = [];
  for (const [index, one] of all.entries()) {
    if (random() * (all.length - index) < count - chosen.length) chosen.push(one);
  }
  return chosen;
}
