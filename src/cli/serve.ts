import type { Settings } from '../settings.ts';
import { createLogger, runService, untilSignalled } from './run-service.ts';

/** `feedloom serve`: runs the service until it is told to stop. */
export async function serve(settings: Settings): Promise<void> {
  const log = createLogger('stdout', settings.log_level);
  const running = await runService(settings, 'feedloom serve', log);
  // Whoever reads the line below may stop the service at once.
  const signalled = untilSignalled();
  const { loaded, refused_plugins, store } = running.service;
  for (const { code, message } of refused_plugins) log.warn({ code }, message);
  log.info(
    {
      address: running.address,
      engine: store.engine,
      changes: loaded.changes,
      load_ms: Math.round(loaded.milliseconds),
    },
    `listening on ${running.address}`,
  );
  const signal = await signalled;
  log.info({ signal }, 'stopping');
  await running.stop();
}
