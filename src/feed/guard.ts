import { ServiceError } from '../errors.ts';
import type { Bound, Test } from '../pipeline/compiled-feed.ts';
import type { Ordinal, RequestContext } from '../plugin/index.ts';

/**
 * The 500 of a plugin that failed: the caller learns no more, the log gets its name and the cause. What
 * already blames a plugin (a signal inside a scoring function) goes on blaming that one.
 */
export function pluginFailed(id: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError && cause.code === 'plugin_failed') return cause;
  return new ServiceError('plugin_failed', 'A plugin failed; the log names it.', undefined, undefined, {
    cause: new Error(`plugin ${id} failed`, { cause }),
  });
}

/** Runs something of a plugin's; what it throws is the plugin's failure. */
export function blaming<T>(id: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw pluginFailed(id, error);
  }
}

/** The same for what a plugin may leave out: postings of a filter, what a rule allows. */
export function blamingEach<T>(
  id: string,
  give: ((request: RequestContext) => T) | undefined,
): ((request: RequestContext) => T) | undefined {
  return give && ((request) => blaming(id, () => give(request)));
}

/** A filter or rule that fails closed: a throw fails the request. */
export function guardTest(id: string, bind: (request: RequestContext) => Test): Bound<Test> {
  return {
    id,
    bind(request) {
      const test = blaming(id, () => bind(request));
      return (item) => {
        try {
          return test(item);
        } catch (error) {
          throw pluginFailed(id, error);
        }
      };
    },
  };
}

/** A scoring function whose throw or unusable number fails the request. */
export function guardScore(
  id: string,
  bind: (request: RequestContext) => (item: Ordinal) => number,
): Bound<(item: Ordinal) => number> {
  return {
    id,
    bind(request) {
      const score = blaming(id, () => bind(request));
      return (item) => {
        let value: unknown;
        try {
          value = score(item);
        } catch (error) {
          throw pluginFailed(id, error);
        }
        if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
        throw pluginFailed(id, new Error(`score ${String(value)} is not a finite number of at least 0`));
      };
    },
  };
}

/** What a score is made of, as the scoring function says; anything but finite numbers fails the request. */
export function guardParts(
  id: string,
  bind: (request: RequestContext) => ((item: Ordinal) => Record<string, number>) | undefined,
): (request: RequestContext) => (item: Ordinal) => Record<string, number> {
  return (request) => {
    const parts = blaming(id, () => bind(request));
    return (item) => {
      const said = blaming(id, () => parts?.(item)) ?? {};
      const wrong = Object.entries(said).find(([, value]) => !Number.isFinite(value));
      if (wrong === undefined) return said;
      throw pluginFailed(id, new Error(`the part ${wrong[0]} of a score is not a finite number`));
    };
  };
}
