import type { AnswerOf } from '../../openapi/client/src/index.ts';

type Learning = AnswerOf<'GET', '/api/learning'>['data'];

const SIGNALS = ['default', 'click_rate', 'fatigue', 'interest_all', 'momentum', 'author_affinity'] as const;
const HOURS = 72;
const HOUR_SECONDS = 3_600;

/** What a feed has learnt in three days. @param end seconds since the epoch */
export function threeDaysOfLearning(feed_id: string, end: number): Learning {
  const weightOf = (index: number, hour: number): number =>
    (index === 0 ? 1 : 0) + (index % 2 === 0 ? -0.3 : 0.4) * index * (1 - 1 / (1 + hour / 12));
  return {
    ...{ feed_id, feed_type: 'for-you', status: 'learning', pages: 1_234, acts: 2_345, intercept: -2.1 },
    weights: SIGNALS.map((signal, index) => ({
      ...{
        signal,
        used: weightOf(index, HOURS),
        learnt: weightOf(index, 2 * HOURS),
        prior: index === 0 ? 1 : 0,
      },
    })),
    control: { pages: 2_100, acts_per_page: 0.31, ci_low: 0.28, ci_high: 0.34 },
    learned: { pages: 41_000, acts_per_page: 0.36, ci_low: 0.353, ci_high: 0.367 },
    history: Array.from({ length: HOURS }, (_, hour) => ({
      ...{ at: end - (HOURS - 1 - hour) * HOUR_SECONDS, pages: 17 * hour },
      weights: Object.fromEntries(SIGNALS.map((signal, index) => [signal, weightOf(index, hour)])),
    })),
  };
}
