import { defineSignal, Type } from 'feedloom/plugin';

/**
 * What similar users chose: a walk of three steps from the viewer's latest interactions.
 *
 * Later interactions count more. The weight is divided by the greatest weight of an item that the feed may show: the
 * best item has 1, and items out of reach have 0.
 */
export default defineSignal({
  summary: "Interest by a random walk from the viewer's interactions; 1 for the item reached most.",
  proposes: { name: 'walk', per_item: 1.5 },
  reason: 'similar_taste',
  options: Type.Object(
    {
      history: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 24 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('walk', options),
});
