import { defineSignal, Type } from 'feedloom/plugin';

/**
 * New items of the authors, channels, labels, apps and languages that the viewer interacts with.
 *
 * It also reaches items without any interactions. The best matching item has the value 1.
 */
export default defineSignal({
  summary: "New items of the viewer's favourite authors, channels and labels; 1 for the one that fits best.",
  proposes: { per_item: 0.5 },
  reason: 'similar_taste',
  options: Type.Object(
    {
      history: Type.Integer({ minimum: 1, maximum: 500, default: 25 }),
      values: Type.Integer({ minimum: 1, maximum: 100, default: 8 }),
      newest: Type.Integer({ minimum: 1, maximum: 500, default: 32 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('profile', options),
});
