import { format } from 'node:util';
import type { Logger } from 'pino';

const METHODS = ['debug', 'info', 'log', 'warn', 'error'] as const;

/**
 * Makes lines of the log of what plugins say with `console`, marked `source: "console"`. Written as it stands it would
 * wait for whoever reads it, and everybody with it, and stand between lines of JSON.
 * @returns undoes it
 */
export function logConsole(log: Logger): () => void {
  const former = { ...console };
  for (const method of METHODS) {
    const level = method === 'log' ? 'info' : method;
    console[method] = (...said: unknown[]) => log[level]({ source: 'console' }, format(...said));
  }
  return () => {
    for (const method of METHODS) console[method] = former[method];
  };
}
