import { ServiceError } from '../errors.ts';

/** Error codes that are not the failure of the plugin that passes them on. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'plugin_failed',
  'request_too_costly',
  'invalid_value',
  'loading',
]);

/**
 * Makes the 500 of a failed plugin. The log gets the plugin's name and the cause, and the caller only the code.
 *
 * An error that already names a plugin is passed on, for example of a signal inside a scoring function.
 */
export function pluginFailed(id: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError && PASSED_ON.has(cause.code)) return cause;
  return new ServiceError('plugin_failed', 'A plugin failed; the log names it.', undefined, undefined, {
    cause: new Error(`plugin ${id} failed`, { cause }),
  });
}

/** Runs a function of a plugin. Its errors become failures of that plugin. */
export function blaming<T>(id: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw pluginFailed(id, error);
  }
}
