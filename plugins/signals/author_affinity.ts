import { defineSignal, Type } from 'feedloom/plugin';

/** Acts on an author's items at which the author has half the score. */
const HALF_ACTS = 3;

/** The viewer's acts n on items of the author, among the latest 200: n / (n + 3). */
export default defineSignal({
  summary: "The viewer's latest interactions n with items of the author, as n / (n + 3).",
  depends_on: 'viewer',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => {
    const acts = request.acts_on_author(request.author(item));
    return acts / (acts + HALF_ACTS);
  },
});
