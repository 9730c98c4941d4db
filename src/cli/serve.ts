import type { Member } from '../processes/member.ts';
import type { Settings } from '../settings.ts';
import { createLogging, runUntilSignalled } from './run-service.ts';
import { serveByProcesses, type ThisCommand } from './serve-by-processes.ts';

/**
 * `feedloom serve`: runs the service until a signal stops it.
 * @param member this process as one of several that a supervisor started
 * @throws as `runService` and `serveByProcesses`
 */
export async function serve(settings: Settings, command: ThisCommand, member?: Member): Promise<void> {
  if (member === undefined && settings.processes > 1) return serveByProcesses(settings, command);
  const logging = createLogging('stdout', settings.log_level, member?.membership.process.toString());
  const { log } = logging;
  const begin: Parameters<typeof runUntilSignalled>[3] = ({ service, address, metrics_address }) => {
    const { loaded, store } = service;
    log.info(
      {
        address,
        metrics_address,
        engine: store.engine,
        checkpoint_seq: loaded.checkpoint_seq,
        changes: loaded.changes,
        load_ms: Math.round(loaded.milliseconds),
      },
      `listening on ${address}`,
    );
  };
  await runUntilSignalled(settings, 'feedloom serve', logging, begin, member);
}
