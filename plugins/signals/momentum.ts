import { defineSignal, Type } from 'feedloom/plugin';

/** Nothing counts as fast below one engagement per hour. */
const LEAST_TOP_RATE = 1;

/**
 * An item's expected engagement against that of the fastest item that the feed may show: 1 for that one,
 * half for one at half its rate. 0 for everything until engagement has been watched for two hours, because
 * before that nobody knows a pace.
 */
export default defineSignal({
  summary: 'Expected engagement, divided by that of the fastest item that the feed may show.',
  depends_on: 'viewer',
  options: Type.Object({}),
  compile: () => (request) => {
    if (!request.pace_known) return () => 0;
    const rateOf = request.expected_rates();
    let scale = 0;
    // Once the page's candidates are known: before, looking for the fastest would be done twice.
    const scaled = () => {
      const fastest = request.best('trending', 1);
      return 1 / Math.max(LEAST_TOP_RATE, ...fastest.map(rateOf));
    };
    return (item) => {
      scale ||= scaled();
      return Math.min(1, rateOf(item) * scale);
    };
  },
});
