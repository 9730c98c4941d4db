import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { Holder } from './connection.ts';

/** This process as the holder of a lock. Its time comes from the machine's clock, even if the service uses another. */
export function thisProcess({ command, address }: Pick<Holder, 'command' | 'address'>): Holder {
  return { pid: process.pid, command, since: new Date(systemClock.now() * 1000).toISOString(), address };
}

/**
 * The error of a second serving or importing process. `holder` is undefined while the first one starts.
 * @param otherwise another remedy
 */
export function inUse(what: string, holder: Holder | undefined, otherwise?: string): StartupError {
  const by = holder ? `'${holder.command}' (pid ${holder.pid}) since ${holder.since}` : 'another process';
  const remedy = 'stop that process first, or name another folder or database';
  return new StartupError(
    'data_in_use',
    `${what} is in use by ${by}`,
    otherwise === undefined ? remedy : `${remedy}; ${otherwise}`,
  );
}
