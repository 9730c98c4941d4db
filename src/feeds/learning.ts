import { LIMITS } from '../limits.ts';
import { DEFAULT_SCORE, signalKey } from '../model/signal-key.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { BoundScoring, FeedLearning, ScoringRequest } from './compiled-feed.ts';

/** The scoring function whose signals are logged for feeds with `"learn": true`. */
const LEARNED = 'learned_v0.0.1';

/** The fault of a list of signals to learn. Undefined: none. */
export function learningProblem(signals: readonly string[]): string | undefined {
  if (new Set(signals).size > LIMITS.learnt_signals_max)
    return `it learns ${signals.length} signals; at most ${LIMITS.learnt_signals_max} are allowed`;
  const named = new Map([[signalKey(DEFAULT_SCORE), DEFAULT_SCORE]]);
  for (const signal of new Set(signals)) {
    const other = named.get(signalKey(signal));
    if (other !== undefined)
      return `'${signal}' and '${other}' cannot be learnt together: rename one of them`;
    named.set(signalKey(signal), signal);
  }
  return undefined;
}

/** @param learns without a `learningProblem` */
export function learningOf(
  feed_type: FeedType,
  learns: readonly string[],
  by_default: BoundScoring,
): FeedLearning {
  const signals = [...new Set(learns)];
  const keys = Uint32Array.from([DEFAULT_SCORE, ...signals], signalKey);
  return { feed_type, signals, keys, by_default };
}

/** What feeds learn from whose own scoring function learns nothing. Undefined if no feed of the type can learn. */
export function usualSignals(registry: Registry, feed_type: FeedType): readonly string[] | undefined {
  const learned = registry.get('scoring_functions', LEARNED);
  if (learned?.extension.feeds?.includes(feed_type) === false) return undefined;
  return learned?.extension.learns?.(learned.options.defaults(), feed_type);
}

/** A scoring function whose requests have what was learnt. */
export function withLearning(scoring: BoundScoring, learning: FeedLearning): BoundScoring {
  const given = (request: ScoringRequest): ScoringRequest =>
    Object.freeze({ ...request, learnt: () => request.learntFor(learning, request) });
  const { bind, ceiling, parts } = scoring;
  return {
    ...scoring,
    bind: (request) => bind(given(request)),
    ceiling: ceiling && ((request) => ceiling(given(request))),
    parts: parts && ((request) => parts(given(request))),
    learning,
  };
}
