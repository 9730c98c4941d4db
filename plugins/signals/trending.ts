import { defineSignal, Type } from 'feedloom/plugin';

/** How fast age tells: the exponent of the front-page formula. */
const GRAVITY = 1.8;
const AGE_OFFSET_HOURS = 2;

/**
 * Engagement against age: t = e / (age in hours + 2)^1.8 with e = likes + comments + shares, as t / (t + 1).
 * An item dated in the future has age 0.
 */
export default defineSignal({
  summary: 'Engagement against age: t = e / (hours + 2)^1.8 as t / (t + 1).',
  depends_on: 'time',
  options: Type.Object({}),
  compile: () => (request) => (item) => {
    const engagement = request.likes_count(item) + request.comments_count(item) + request.shares_count(item);
    if (engagement === 0) return 0;
    const age_hours = Math.max(0, request.now - request.created_at(item)) / 3600;
    const rate = engagement / (age_hours + AGE_OFFSET_HOURS) ** GRAVITY;
    return rate / (rate + 1);
  },
});
