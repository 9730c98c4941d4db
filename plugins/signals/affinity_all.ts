import { defineSignal, Type } from 'feedloom/plugin';

/**
 * How many followed users stand behind an item, each counted once: n / (n + 1), so 0.5 for one and 0.75
 * for three.
 */
export default defineSignal({
  summary: 'Followed users who posted, liked, commented, shared or bookmarked the item: n / (n + 1).',
  depends_on: 'viewer',
  options: Type.Object({
    recent: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    users: Type.Integer({ minimum: 1, maximum: 5000, default: 300 }),
  }),
  reaches: (options) => (request) => request.affinity(options),
  compile: (options) => (request) => {
    const reached = request.affinity(options);
    return (item) => {
      const users = Math.floor(reached.weight(item));
      return users / (users + 1);
    };
  },
});
