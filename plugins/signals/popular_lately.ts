import { defineSignal, saturated, Type } from 'feedloom/plugin';

const HOUR = 3600;
/** Each window counts as much as any other, so what happened in the last hours counts in all of them. */
const WINDOWS = [6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
/** Before everything that happened. */
const EVER = -1;
/** The shortest window moves on by a hundredth meanwhile. */
const DRIFT_SECONDS = 216;

/**
 * Users who engaged in the last six hours, day, week and ever, each number saturated like `popular`, on average: what
 * was wanted lately comes before what was wanted long ago, which comes before what never was. Each user counts
 * once in each window, so nobody makes an item popular alone.
 */
export default defineSignal({
  summary: 'Users u who engaged in the last 6 hours, day, week and ever, each as u / (u + 20), on average.',
  depends_on: 'time',
  drift_seconds: DRIFT_SECONDS,
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const moments = WINDOWS.map((seconds) => request.now - seconds);
    return (item) => {
      const ever = request.likes_count(item) + request.comments_count(item) + request.shares_count(item);
      let sum = saturated(ever - request.repeated_since(item, EVER));
      for (const since of moments) {
        sum += saturated(request.engagement_since(item, since) - request.repeated_since(item, since));
      }
      return sum / (moments.length + 1);
    };
  },
});
