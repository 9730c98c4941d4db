import { defineSignal, Type } from 'feedloom/plugin';

/**
 * What users of like taste chose: a walk of three steps from the viewer's latest interactions, divided by
 * the strongest item's weight, so the best item has 1 and items out of reach have 0.
 */
export default defineSignal({
  summary: "Interest by a random walk from the viewer's interactions; 1 for the item reached most.",
  depends_on: 'viewer',
  options: Type.Object({
    history: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  }),
  reaches: (options) => (request) => request.walk(options),
  compile: (options) => (request) => {
    const reached = request.walk(options);
    const scale = reached.max > 0 ? 1 / reached.max : 0;
    return (item) => reached.weight(item) * scale;
  },
});
