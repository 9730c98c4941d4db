import { defineSignal, Type } from 'feedloom/plugin';

/** Engagement at which an item has half the score. */
const HALF_ENGAGEMENT = 20;

/** All-time engagement e = likes + comments + shares as e / (e + 20). */
export default defineSignal({
  summary: 'All-time engagement e as e / (e + 20).',
  depends_on: 'item',
  options: Type.Object({}),
  compile: () => (request) => (item) => {
    const engagement = request.likes_count(item) + request.comments_count(item) + request.shares_count(item);
    return engagement / (engagement + HALF_ENGAGEMENT);
  },
});
