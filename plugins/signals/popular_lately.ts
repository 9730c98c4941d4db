import { defineSignal, saturated, Type } from 'feedloom/plugin';

const HOUR = 3600;
/** Windows have equal weight, so activity of the last hours counts in all of them. The first has no beginning. */
const WINDOWS = [Number.POSITIVE_INFINITY, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
/** In this time the shortest window moves by 1 %. */
const DRIFT_SECONDS = 216;

/**
 * Users who engaged in the last six hours, day, week and ever: each count saturated, then averaged.
 *
 * Items with recent demand rank above items with old demand, and those above items without any. Each user counts once
 * per window, so a single user cannot make an item popular.
 */
export default defineSignal({
  summary: 'Users u who engaged in the last 6 hours, day, week and ever, each as u / (u + 20), on average.',
  depends_on: 'time',
  drift_seconds: DRIFT_SECONDS,
  reason: 'popular',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const moments = WINDOWS.map((seconds) => request.now - seconds);
    return (item) => {
      let sum = 0;
      for (const since of moments) sum += saturated(request.item.engagement_since(item, since, true));
      return sum / moments.length;
    };
  },
});
