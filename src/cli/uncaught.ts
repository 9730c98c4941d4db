import type { Logger } from 'pino';
import { reasonsOf } from '../errors.ts';
import { withShownUrls } from '../shown-url.ts';

/**
 * Logs uncaught errors, one line each, and keeps the service running.
 *
 * They mostly come from plugins that start work without awaiting it. Such work belongs to no request, so only the stack
 * identifies the plugin.
 */
export function logUncaught(log: Logger): void {
  const logger = (message: string) => (error: unknown) => {
    const stack =
      error instanceof Error && error.stack !== undefined ? withShownUrls(error.stack) : undefined;
    log.error({ cause: reasonsOf(error), stack }, message);
  };
  process.on('uncaughtException', logger('an error was not caught'));
  process.on('unhandledRejection', logger('a promise was rejected and not handled'));
}
