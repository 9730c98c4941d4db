/**
 * The constants of the walk, one set for all data.
 *
 * They were chosen on the cuts of `workloads/programs/robustness.ts`, so that none is far from the best. Neighbour lists that
 * were built with other constants are not valid: change the magic of `checkpoint/list-file.ts` too.
 *
 * A degree is the number of acts of a user or on an item. Each step divides by (degree + `smoothing`)^`power`. The power
 * damps hubs: very popular items and very busy users say little about taste. The smoothing limits how much items of a
 * few acts gain by that, which matters most on thin data.
 */
export const WALK = {
  /** First step: from a viewer to an item of their latest acts. */
  start: { power: 0.65, smoothing: 0 },
  /** Second step: from an item to a user. */
  user: { power: 0.5, smoothing: 0 },
  /** Third step: from a user to a target, when the weight of a neighbour is set. */
  target: { power: 0.26, smoothing: 10 },
  /** Third step, when neighbours are selected. A list with few popular neighbours reaches too little. */
  choice: { power: 0.13, smoothing: 10 },
  /** The maximum number of latest users to visit per item. It bounds the cost of popular items. */
  users_per_item: 150,
  /** The maximum number of latest acts to read per user, so that no busy user fills a list. */
  acts_per_user: 200,
  /** The maximum number of acts to read per list. */
  acts_per_list: 6_000,
  /** The share of a neighbour's weight that is attributed to its own neighbours (`OverlapCorrection`). */
  overlap_share: 0.55,
} as const;
