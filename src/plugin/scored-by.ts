import { Type } from '@sinclair/typebox';
import type { FeedType, ScoringFunction } from './kinds.ts';

/** A scoring function for one feed type that is one signal, the same for every viewer, and nothing else. */
export function scoredBy(signal: string, feed_type: FeedType, summary: string): ScoringFunction {
  return {
    summary,
    feeds: [feed_type],
    ranked_by: signal,
    options: Type.Object({}, { additionalProperties: false }),
    compile: () => (request) => request.signal(signal),
    parts: () => (request) => {
      const value = request.signal(signal);
      return (item) => ({ [signal]: value(item) });
    },
  };
}
