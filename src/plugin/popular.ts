import { Type } from '@sinclair/typebox';
import type { Signal } from './kinds.ts';

/** Engagement at which an item has half the score. */
const HALF_ENGAGEMENT = 20;
const SECONDS_PER_DAY = 86_400;
/** Ten seconds more or less at the far end of a day's window change nothing that anybody sees. */
const DRIFT_SECONDS_PER_DAY = 10;

/** Engagement e as e / (e + 20): in [0, 1), so that the first likes count most and a thousand are not all. */
export function saturated(engagement: number): number {
  return engagement / (engagement + HALF_ENGAGEMENT);
}

/**
 * The signal of engagement within the last days, saturated like that of all time: the score in a window is
 * never above the one of all time, and that of an item without engagement is 0.
 */
export function popularWithin(days: number): Signal {
  return {
    summary: `Engagement e of the last ${days === 1 ? 'day' : `${days} days`} as e / (e + ${HALF_ENGAGEMENT}).`,
    depends_on: 'time',
    drift_seconds: days * DRIFT_SECONDS_PER_DAY,
    options: Type.Object({}, { additionalProperties: false }),
    compile: () => (request) => {
      const since = request.now - days * SECONDS_PER_DAY;
      return (item) => saturated(request.engagement_since(item, since));
    },
  };
}
