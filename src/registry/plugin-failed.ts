import { ServiceError } from '../errors.ts';

/** What is no failure of the plugin through which it comes: another plugin's, and a request that costs too much. */
const PASSED_ON: ReadonlySet<string> = new Set(['plugin_failed', 'request_too_costly']);

/**
 * The 500 of a plugin that failed: the caller learns no more, the log gets its name and the cause. What
 * already blames a plugin (a signal inside a scoring function) goes on blaming that one.
 */
export function pluginFailed(id: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError && PASSED_ON.has(cause.code)) return cause;
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
