import { defineSignal, Type } from 'feedloom/plugin';

/**
 * How many followed users acted on an item, and how recently. In [0, 1].
 *
 * Each user adds 1 / (1 + age / half-life). The sum is divided by the greatest sum of an item that the feed may show.
 */
export default defineSignal({
  summary: 'Followed users who posted, liked, commented, shared or bookmarked the item recently.',
  proposes: { name: 'following', per_item: 2 },
  reason: 'followed',
  options: Type.Object(
    {
      recent: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      users: Type.Integer({ minimum: 1, maximum: 5000, default: 300 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 24 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('affinity', options),
});
