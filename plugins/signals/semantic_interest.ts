import { defineSignal, Type } from 'feedloom/plugin';

/**
 * Items with a similar meaning as the viewer's latest interactions, by their embeddings.
 *
 * It also reaches items without any interactions. The best matching item has the value 1. All values are 0 if no item
 * has an embedding.
 */
export default defineSignal({
  summary: "Similarity of embeddings to the viewer's interactions; 1 for the item that fits best.",
  proposes: { name: 'semantic', per_item: 0.5 },
  reason: 'similar_taste',
  options: Type.Object(
    {
      history: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 168 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('meaning', options),
});
