import { defineSignal, saturated, Type } from 'feedloom/plugin';

const HOUR = 3600;
/** Each window counts as much as any other, so what happened in the last hours counts in all of them. */
const WINDOWS = [6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
/** The shortest window moves on by a hundredth meanwhile. */
const DRIFT_SECONDS = 216;

/**
 * Engagement of the last six hours, day, week and of all time, each saturated like `popular`, on average: what
 * was wanted lately comes before what was wanted long ago, which comes before what never was.
 */
export default defineSignal({
  summary: 'Engagement e of the last 6 hours, day, week and of all time, each as e / (e + 20), on average.',
  depends_on: 'time',
  drift_seconds: DRIFT_SECONDS,
  options: Type.Object({}),
  compile: () => (request) => {
    const popular = request.signal('popular');
    const moments = WINDOWS.map((seconds) => request.now - seconds);
    return (item) => {
      let sum = popular(item);
      for (const since of moments) sum += saturated(request.engagement_since(item, since));
      return sum / (moments.length + 1);
    };
  },
});
