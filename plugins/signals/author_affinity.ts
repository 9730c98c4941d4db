import { defineSignal, Type } from 'feedloom/plugin';

/** The number of interactions at which the signal is 0.5. */
const HALF_ACTS = 3;

/** Of the viewer's latest 200 interactions, those on items of the author: n / (n + 3). */
export default defineSignal({
  summary: "The viewer's latest interactions n with items of the author, as n / (n + 3).",
  reason: 'similar_taste',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => {
    const acts = request.viewer.acts_on_author(request.item.author(item));
    return acts / (acts + HALF_ACTS);
  },
});
