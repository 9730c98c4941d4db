import { defineSignal, Type } from 'feedloom/plugin';

/** How much the viewer hid and reported of what the item is like, against what they liked of it. */
export default defineSignal({
  summary:
    "The viewer's hides and reports n of the author, channel or labels against p likes: n / (n + p + 2).",
  depends_on: 'viewer',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => request.dislikes(),
});
