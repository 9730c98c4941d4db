import { defineSignal, Type } from 'feedloom/plugin';

/** A century, so interactions practically never fade. */
const HOURS = 876_000;

/**
 * Like `interest_all`, but old interactions count almost as much as new ones.
 *
 * It suits things that people collect rather than read.
 */
export default defineSignal({
  summary: "Interest by a random walk from all of the viewer's interactions alike, old or new.",
  reason: 'similar_taste',
  options: Type.Object(
    {
      history: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: HOURS }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('walk', options),
});
