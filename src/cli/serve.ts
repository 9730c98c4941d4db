import type { Settings } from '../settings.ts';
import { createLogging, runUntilSignalled } from './run-service.ts';

/**
 * `feedloom serve`: runs the service until a signal stops it.
 * @throws as `runService`
 */
export async function serve(settings: Settings, env: Record<string, string | undefined>): Promise<void> {
  const logging = createLogging('stdout', settings.log_level);
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
  await runUntilSignalled(settings, 'feedloom serve', logging, begin, { env });
}
