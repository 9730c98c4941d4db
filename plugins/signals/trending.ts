import { defineSignal, Type } from 'feedloom/plugin';

/** Engagements per hour at which an item has half the score. */
const HALF_RATE = 10;

/**
 * What will be engaged with soon: r engagements per hour expected in the next hours, as r / (r + 10). The
 * expectation is learnt from the stream; until there is enough to learn from, it follows the item's own pace.
 */
export default defineSignal({
  summary: 'Engagements per hour r expected in the next hours, as r / (r + 10).',
  depends_on: 'time',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => {
    const rateOf = request.expected_rates();
    return (item) => {
      const rate = rateOf(item);
      return rate / (rate + HALF_RATE);
    };
  },
});
