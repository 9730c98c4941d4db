import { defineSignal, saturated, Type } from 'feedloom/plugin';

/** All-time engagement e = likes + comments + shares as e / (e + 20). */
export default defineSignal({
  summary: 'All-time engagement e as e / (e + 20).',
  depends_on: 'item',
  proposes: { per_item: 1, always: true },
  reason: 'popular',
  options: Type.Object({}, { additionalProperties: false }),
  compile: () => (request) => (item) =>
    saturated(
      request.item.likes_count(item) + request.item.comments_count(item) + request.item.shares_count(item),
    ),
});
