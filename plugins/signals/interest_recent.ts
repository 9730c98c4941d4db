import { defineSignal, Type } from 'feedloom/plugin';

/** Like `interest_all`, from the viewer's interactions of the last 36 hours, which fade within hours. */
export default defineSignal({
  summary: "Interest by a random walk from the viewer's interactions of the last 36 hours.",
  proposes: { name: 'recent', per_item: 4 },
  reason: 'similar_taste',
  options: Type.Object(
    {
      history: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 4 }),
      within_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 36 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('walk', options),
});
