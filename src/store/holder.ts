import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { Holder } from './connection.ts';

/** This process as the holder of a lock. The machine's clock, whatever clock the service runs by. */
export function thisProcess(command: string): Holder {
  return { pid: process.pid, command, since: new Date(systemClock.now() * 1000).toISOString() };
}

/**
 * The refusal of a second serving or importing process. `holder` is absent while it is starting.
 * @param otherwise what else helps
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
