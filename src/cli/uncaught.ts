import type { Logger } from 'pino';
import { reasonsOf } from '../errors.ts';

/**
 * Logs what nobody caught, a line each, and lets the service go on: mostly that is something a plugin started and did not
 * wait for, which no longer belongs to any request, and its stack is all that tells whose it is.
 */
export function logUncaught(log: Logger): void {
  const tell = (message: string) => (error: unknown) => {
    const stack = error instanceof Error ? error.stack : undefined;
    log.error({ cause: reasonsOf(error), stack }, message);
  };
  process.on('uncaughtException', tell('an error was not caught'));
  process.on('unhandledRejection', tell('a promise was rejected, and nobody waited for it'));
}
