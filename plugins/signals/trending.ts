import { defineSignal, Type } from 'feedloom/plugin';

/** The rate, in engagements per hour, at which the signal is 0.5. */
const HALF_RATE = 10;

/**
 * The engagements per hour r that are expected in the next hours, as r / (r + 10).
 *
 * The expectation is learnt from the stream of interactions. Until there is enough data, it is the item's own recent
 * rate.
 */
export default defineSignal({
  summary: 'Engagements per hour r expected in the next hours, as r / (r + 10).',
  depends_on: 'time',
  proposes: { per_item: 1, always: true },
  reason: 'trending',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const rateOf = request.trend.expected_rates();
    return (item) => {
      const rate = rateOf(item);
      return rate / (rate + HALF_RATE);
    };
  },
});
