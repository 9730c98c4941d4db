import { defineSignal, Type } from 'feedloom/plugin';

/** Rates change slowly: they are shares of all that was shown in days. */
const DRIFT_SECONDS = 60;

/** The acts within a day of being shown the item, for each time that it was shown. In [0, 1]. */
export default defineSignal({
  summary: 'Acts on an item within a day of being shown it, for each time that it was shown, smoothed.',
  depends_on: 'time',
  drift_seconds: DRIFT_SECONDS,
  reason: 'popular',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.shown.click_rate(),
});
