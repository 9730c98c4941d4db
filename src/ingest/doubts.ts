import { LIMITS } from '../limits.ts';
import type { BlockRecord, EventRemoval, FollowRecord, InteractionRecord } from './records/index.ts';

/** Warnings about records that are taken and may have been meant otherwise. */

/** The times that records have, and what is made of one that lies ahead. */
const EFFECTS = {
  created_at: 'items are not shown before their time',
  updated_at: 'it counts as now',
  timestamp: 'it counts as now',
} as const;

/** The times of a record, seconds. */
type Times = { readonly [Field in keyof typeof EFFECTS]?: number };

/** A warning for each time that lies further ahead of the clock than clocks differ. */
export function datedAhead(times: Times, now: number): string[] {
  const warnings: string[] = [];
  for (const field of ['created_at', 'updated_at', 'timestamp'] as const) {
    const time = times[field];
    if (time === undefined || time <= now + LIMITS.future_tolerance_seconds) continue;
    warnings.push(`${field}: lies ahead of the service's clock; ${EFFECTS[field]}`);
  }
  return warnings;
}

/** Warnings about what somebody did: dated ahead, or with an item that was never described. */
export function doubtsOf(
  act: FollowRecord | BlockRecord | InteractionRecord | EventRemoval,
  now: number,
  isDescribed: (item_id: string) => boolean,
): string[] {
  if ('space' in act) return [];
  const warnings = 'timestamp' in act ? datedAhead({ timestamp: act.timestamp }, now) : [];
  if (!('item_id' in act) || act.action === 'remove' || isDescribed(act.item_id)) return warnings;
  warnings.push(`there is no item '${act.item_id}' so far; acts on it count once it is there`);
  return warnings;
}
