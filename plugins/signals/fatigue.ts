import { defineSignal, Type } from 'feedloom/plugin';

/** How often the viewer was shown items of the author, channel or labels lately without acting on them. */
export default defineSignal({
  summary:
    'Items of the author, channel or label that the viewer was shown lately and ignored, n, as n / (n + 10).',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.viewer.fatigue(),
});
