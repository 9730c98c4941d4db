import { defineSignal, saturated, Type } from 'feedloom/plugin';

/** All-time engagement e = likes + comments + shares as e / (e + 20). */
export default defineSignal({
  summary: 'All-time engagement e as e / (e + 20).',
  depends_on: 'item',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) =>
    saturated(request.likes_count(item) + request.comments_count(item) + request.shares_count(item)),
});
