import { defineSignal, Type } from 'feedloom/plugin';

/** Nothing counts as fast below one engagement per hour. */
const LEAST_TOP_RATE = 1;
/** The share that momentum has while nobody knows a pace: enough to order what nothing else does. */
const UNKNOWN_PACE = 1e-6;

/**
 * An item's expected engagement against that of the fastest item that the feed may show: 1 for that one,
 * half for one at half its rate. Where none of the 512 that trend most may be shown, the fastest candidate of the page is
 * that one. A millionth of that until engagement has been watched for two hours, because
 * before that rates tell who has most, and not how fast it comes: whom nothing else is known of gets the order of
 * what is trending, and it decides nothing against interest and affinity.
 */
export default defineSignal({
  summary: 'Expected engagement, divided by that of the fastest item that the feed may show.',
  depends_on: 'viewer',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const rateOf = request.expected_rates();
    const most = request.pace_known ? 1 : UNKNOWN_PACE;
    let scale = 0;
    // Once the page's candidates are known: before, looking for the fastest would be done twice.
    const scaled = () => {
      const [fastest] = request.best('trending', 1);
      const rate = fastest === undefined ? request.greatest_of_candidates(rateOf) : rateOf(fastest);
      return most / Math.max(LEAST_TOP_RATE, rate);
    };
    return (item) => {
      scale ||= scaled();
      return Math.min(most, rateOf(item) * scale);
    };
  },
});
