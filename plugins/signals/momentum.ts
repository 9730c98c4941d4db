import { defineSignal, Type } from 'feedloom/plugin';

/** Lower bound for the fastest rate, in engagements per hour. */
const LEAST_TOP_RATE = 1;
/** The scale while rates are unknown. It is so small that it only orders items that no other signal orders. */
const UNKNOWN_PACE = 1e-6;

/**
 * An item's expected engagement, divided by that of the fastest item that the feed may show.
 *
 * If none of the 512 top trending items may be shown, the fastest candidate of the page takes that place.
 * During the first two hours of observation the scale is a millionth. Until then, rates show which items have the
 * most engagement, but not how fast it arrives. They order items for unknown viewers and never outweigh interest or
 * affinity.
 */
export default defineSignal({
  summary: 'Expected engagement, divided by that of the fastest item that the feed may show.',
  reason: 'trending',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const rateOf = request.trend.expected_rates();
    const most = request.trend.pace_known ? 1 : UNKNOWN_PACE;
    let scale = 0;
    return (item) => {
      // Computed at the first item: the page's candidates are known then.
      scale ||= most / Math.max(LEAST_TOP_RATE, request.greatest('trending', rateOf));
      return Math.min(most, rateOf(item) * scale);
    };
  },
});
