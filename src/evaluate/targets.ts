import { seededRandom } from '../clock.ts';
import type { EventType } from '../state/change.ts';
import type { Acts } from './columns.ts';

/** Acts of a user that come before anything is asked about them. */
const EARLIER_ACTS_MIN = 2;

/** What a replay asks about. */
export interface Targets {
  /** Indexes of acts, in order. */
  acts: number[];
  /** Acts that must not be applied: the feeds would never again show what they are about. */
  leavesOut(act: number): boolean;
}

/**
 * The acts that a replay asks about: a pair's first act that counts as interaction, when it is one of
 * `events`, by users who have done something before. Views are no interactions unless they are among
 * `events`; those of an item that the user is asked about are left out, because a feed shows nothing twice.
 * @param from index of the first act that may be asked about
 */
export function findTargets(acts: Acts, events: ReadonlySet<EventType>, from: number): Targets {
  const pairs = new Set<number>();
  const earlier = new Map<number, number>();
  const found: number[] = [];
  const pairOf = (act: number) => acts.user[act] * 2 ** 26 + acts.item[act];
  const isView = (act: number) => acts.event_type(act) === 'view' && !events.has('view');
  for (let act = 0; act < acts.length; act++) {
    if (!acts.engages(act)) continue;
    const user = acts.user[act];
    const known = earlier.get(user) ?? 0;
    earlier.set(user, known + 1);
    if (isView(act) || pairs.has(pairOf(act))) continue;
    pairs.add(pairOf(act));
    if (act >= from && known >= EARLIER_ACTS_MIN && events.has(acts.event_type(act))) found.push(act);
  }
  return { acts: found, leavesOut: (act) => isView(act) && pairs.has(pairOf(act)) };
}

/** At most `count` of some things, each equally likely, in their order (Knuth, TAOCP 2, 3.4.2, algorithm S). */
export function sampled<T>(all: readonly T[], count: number | undefined, seed: number): readonly T[] {
  if (count === undefined || count >= all.length) return all;
  const random = seededRandom(seed);
  const chosen: T[] = [];
  for (const [index, one] of all.entries()) {
    if (random() * (all.length - index) < count - chosen.length) chosen.push(one);
  }
  return chosen;
}
