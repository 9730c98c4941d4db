import { defineSignal, Type } from 'feedloom/plugin';

/** How often the viewer hid and reported similar items, relative to how often they liked similar items. */
export default defineSignal({
  summary:
    "The viewer's hides and reports n of the author, channel or labels against p likes: n / (n + p + 2).",
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.viewer.dislikes(),
});
