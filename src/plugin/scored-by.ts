import { Type } from '@sinclair/typebox';
import type { FeedType, ScoringFunction } from './kinds.ts';

/** Makes a scoring function for one feed type that is equal to one signal. */
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
