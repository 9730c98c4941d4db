import { Type } from '@sinclair/typebox';
import type { Signal } from './kinds.ts';

/** The engagement at which the signal is 0.5. */
const HALF_ENGAGEMENT = 20;
const SECONDS_PER_DAY = 86_400;
/** Seconds per day of the window. A shift of ten seconds at the far end of a day is not noticeable. */
const DRIFT_SECONDS_PER_DAY = 10;

/** Maps engagement e to e / (e + 20), in [0, 1). The first likes count most, and the value never reaches 1. */
export function saturated(engagement: number): number {
  return engagement / (engagement + HALF_ENGAGEMENT);
}

/**
 * Makes the signal for engagement of the last `days` days.
 *
 * It is saturated like `popular`, so it never exceeds `popular`. It is 0 for items without engagement.
 */
export function popularWithin(days: number): Signal {
  return {
    summary: `Engagement e of the last ${days === 1 ? 'day' : `${days} days`} as e / (e + ${HALF_ENGAGEMENT}).`,
    depends_on: 'time',
    drift_seconds: days * DRIFT_SECONDS_PER_DAY,
    reason: 'popular',
    options: Type.Object({}, { additionalProperties: false }),
    compile: () => (request) => {
      const since = request.now - days * SECONDS_PER_DAY;
      return (item) => saturated(request.item.engagement_since(item, since));
    },
  };
}
