/**
 * The number of interactions per item and their delays. An item's appeal depends on its quality, its author's reach
 * and, for a few items, an early lead. As with preferential attachment, the result is a power law.
 */

import { apportion, gaussian, STREAM, stream } from './chance.ts';
import type { DailyRhythm } from './daily-rhythm.ts';
import type { FollowGraph } from './follow-graph.ts';
import { type ItemPlan, NO_PARENT } from './item-plan.ts';
import type { People, Pools } from './people.ts';
import type { CommunityOptions } from './records.ts';
import { ENGLISH, LANGUAGES } from './topics.ts';

/** Minimum time between an item and its first reaction. */
const REACTION_SECONDS = 20;
const LAG_MAX_SECONDS = 48 * 3_600;
const LAG_MEDIAN_SECONDS = 2.5 * 3_600;
/** The shape of the log-logistic distribution of delays: minutes for some, hours for most. */
const LAG_SHAPE = 1.5;
const TAKE_OFF_SHARE = 0.02;

export interface Demand {
  /** Interactions per item until `now`. */
  counts: Uint32Array;
  /** Half of an item's audience comes sooner than this. */
  lag_median_seconds: Float32Array;
  /** The share of the item's delay distribution that has passed by `now`. */
  reached: Float32Array;
}

/** The share of an item's audience that came within `lag_seconds`. */
function shareWithin(lag_seconds: number, median_seconds: number): number {
  return 1 / (1 + (median_seconds / lag_seconds) ** LAG_SHAPE);
}

/** The delay after which `share` of an item's audience has come. */
export function lagOfShare(share: number, median_seconds: number): number {
  return REACTION_SECONDS + median_seconds * (share / (1 - share)) ** (1 / LAG_SHAPE);
}

/** Maximum number of interactions per item without followers. More would have to come from unrelated users. */
function capacityOf(people: People, pools: Pools, topic: number, language: number): number {
  let readers = pools.of(topic, language).length;
  if (language === ENGLISH) {
    for (let other = 1; other < LANGUAGES.length; other++) readers += 0.4 * pools.of(topic, other).length;
  }
  return 1 + 0.8 * readers + 0.1 * people.by_activity.length;
}

/** Draws the demand of all items. O(items). */
export function createDemand(
  options: CommunityOptions,
  people: People,
  pools: Pools,
  graph: FollowGraph,
  plan: ItemPlan,
  rhythm: DailyRhythm,
): Demand {
  const random = stream(options.seed, STREAM.demand);
  const now = rhythm.toCommunity(options.now);
  const weights = new Float64Array(plan.count);
  const caps = new Float64Array(plan.count);
  const lag_median_seconds = new Float32Array(plan.count);
  const reached = new Float32Array(plan.count);
  for (let item = 0; item < plan.count; item++) {
    const author = plan.author[item];
    const language = people.language[author];
    const follower_count = graph.starts[author + 1] - graph.starts[author];
    const spread = Math.exp(0.5 * gaussian(random));
    const takes_off = random() < TAKE_OFF_SHARE;
    const boost = takes_off ? 4 * (1 - random()) ** -0.8 : 1;
    // Items with a take-off stay active for longer.
    const median = LAG_MEDIAN_SECONDS * spread * (takes_off ? 2 : 1);
    const elapsed = Math.min(now - plan.created[item] - REACTION_SECONDS - 1, LAG_MAX_SECONDS);
    lag_median_seconds[item] = median;
    reached[item] = elapsed > 0 ? shareWithin(elapsed, median) : 0;
    const is_reply = plan.parent[item] !== NO_PARENT;
    const kind = (is_reply ? 0.35 : 1) * (plan.spam[item] === 1 ? 0.3 : 1);
    const reach = Math.sqrt(follower_count + 3) * (language === ENGLISH ? 1 : 0.6);
    weights[item] = plan.quality[item] * reach * boost * kind * reached[item];
    const capacity = capacityOf(people, pools, plan.topic[item], language) + 0.5 * follower_count;
    caps[item] = Math.floor(Math.min(capacity, people.by_activity.length) * (0.6 + 0.4 * random()));
  }
  return { counts: apportion(weights, caps, options.interactions), lag_median_seconds, reached };
}
