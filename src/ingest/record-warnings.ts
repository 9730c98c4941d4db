import { LIMITS } from '../limits.ts';
import type { BlockRecord, EventRemoval, FollowRecord, InteractionRecord } from '../model/records/index.ts';
import type { IngestContext } from './context.ts';

/** Warnings about accepted records that may be mistakes. */

/** The effect of a time that lies ahead, per field. */
const EFFECTS = {
  created_at: 'items are not shown before their time',
  updated_at: 'it counts as now',
  timestamp: 'it counts as now',
} as const;

type Times = { readonly [Field in keyof typeof EFFECTS]?: number };

/** Warns about each time that is further ahead than clocks differ. */
export function datedAhead(times: Times, now: number): string[] {
  const warnings: string[] = [];
  const { created_at = 0, updated_at = 0, timestamp = 0 } = times;
  const latest = now + LIMITS.future_tolerance_seconds;
  if (Math.max(created_at, updated_at, timestamp) <= latest) return warnings;
  for (const field of ['created_at', 'updated_at', 'timestamp'] as const) {
    if ((times[field] ?? 0) > latest)
      warnings.push(`${field}: lies ahead of the service's clock; ${EFFECTS[field]}`);
  }
  return warnings;
}

/** Warns about an act that is dated ahead, or whose item was never described. */
export function warningsAbout(
  act: FollowRecord | BlockRecord | InteractionRecord | EventRemoval,
  context: IngestContext,
  now: number,
): string[] {
  if ('space' in act) return [];
  const warnings = 'timestamp' in act ? datedAhead(act, now) : [];
  if (!('item_id' in act) || act.action === 'remove' || context.itemExists(act.item_id)) return warnings;
  warnings.push(`there is no item '${act.item_id}' so far; acts on it count once it is there`);
  return warnings;
}
