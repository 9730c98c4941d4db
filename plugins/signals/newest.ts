import { defineSignal, Type } from 'feedloom/plugin';

/** The signal is 1 in the year 2242. */
const LATEST = 2 ** 33;

/** The time of an item t, in seconds since 1970, as t / 2³³. */
export default defineSignal({
  summary: 'The time of an item t, in seconds since 1970, as t / 2³³.',
  depends_on: 'content',
  reason: 'new_here',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) => Math.min(1, Math.max(0, request.item.created_at(item) / LATEST)),
});
