import type { Settings } from '../settings.ts';
import { createLogging, runUntilSignalled } from './run-service.ts';

/** `feedloom serve`: runs the service until a signal stops it. */
export async function serve(settings: Settings): Promise<void> {
  const logging = createLogging('stdout', settings.log_level);
  const { log } = logging;
  await runUntilSignalled(settings, 'feedloom serve', logging, ({ service, address, metrics_address }) => {
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
  });
}
