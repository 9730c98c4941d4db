import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { WALLET_RANKINGS } from '../alpha/alpha.ts';
import { monotonicMs, systemClock, systemTimers } from '../clock.ts';
import { purgeCommunity } from '../community.ts';
import { reasonsOf, rootReasonOf } from '../errors.ts';
import { DEFAULT_RANKINGS } from '../feeds/compile-feed.ts';
import { KeyRing } from '../http/auth.ts';
import { Host } from '../http/host.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import { closeService, openService, type Service } from '../service.ts';
import type { LogLevel, Settings } from '../settings.ts';
import { RegularPurge } from '../store/regular-purge.ts';
import { logConsole } from './console-lines.ts';
import { Listeners } from './listeners.ts';
import { LogDestination } from './log-destination.ts';
import { logUncaught } from './uncaught.ts';

/** How often keys that other processes create or revoke are taken up. */
const KEYS_REFRESH_MS = 500;

/** At shutdown it waits until for so long no request has come, or so long altogether, before it hangs up. */
const QUIET_MS = 50;
const QUIET_WITHIN_MS = 1_000;
/** Requests that are under way at shutdown get this long. */
const DRAIN_MS = 10_000;

export interface Running {
  service: Service;
  /** `http://host:port` */
  address: string;
  /** The same of the port for metrics, if they have one of their own. */
  metrics_address: string | undefined;
  /** Stops listening, lets requests and writes end, and closes the store. */
  stop(): Promise<void>;
}

/** Structured logs, one JSON text a line; keys and bodies never enter them. */
export interface Logging {
  log: Logger;
  destination: LogDestination;
}

export function createLogging(stream: 'stdout' | 'stderr', level: LogLevel): Logging {
  const destination = new LogDestination(stream === 'stdout' ? 1 : 2);
  return { log: pino({ base: undefined, level }, destination), destination };
}

interface RunOptions {
  /** Ends the start when it is aborted. */
  stopping?: AbortSignal;
  /** Where the log goes: what it loses is among the metrics. */
  destination?: LogDestination;
}

/**
 * Listens at once (answering 503 until the state is loaded), opens the service and serves it.
 * @throws StartupError when the port is taken, a plugin is refused, or the data cannot be used; what
 * `stopping` is aborted with before the state is loaded
 */
export async function runService(
  settings: Settings,
  command: string,
  log: Logger,
  { stopping, destination }: RunOptions = {},
): Promise<Running> {
  const host = new Host(log, { requests_max: settings.requests_max });
  if (destination !== undefined) host.metrics.watchLog(destination);
  const listeners = new Listeners(host, settings);
  let opened: Service | undefined;
  try {
    const service = await openService(settings, {
      command,
      monotonicMs,
      log,
      stopping,
      writes_checkpoints: true,
      retires_items: true,
    });
    opened = service;
    const limiter = createRateLimiter(service);
    // Not the clock of the service, which --now may have set to another year.
    const keys = new KeyRing(service.store, { clock: systemClock, api_key: settings.api_key, limiter });
    await keys.refresh();
    for (const { code, detail, cause } of service.saved_feeds.problems())
      log.warn({ code, cause: cause === undefined ? undefined : reasonsOf(cause) }, detail);
    host.open(service, keys);
    const refreshing = setInterval(() => keys.keepUp(log), KEYS_REFRESH_MS);
    const ends = [
      host.metrics.watchEventLoop(),
      service.load.watch(),
      service.feeds.warmUp(DEFAULT_RANKINGS),
    ];
    service.alpha.whenThere(({ feeds }) => ends.push(feeds.warmUp(WALLET_RANKINGS)));
    const purge = new RegularPurge({ purge: () => purgeCommunity(service) }, systemTimers, (error) =>
      log.warn(
        { cause: rootReasonOf(error) },
        'what erasures left could not be removed now; it will be tried again',
      ),
    );
    const stop = async (): Promise<void> => {
      clearInterval(refreshing);
      purge.stop();
      host.close();
      // So that who waits for a store that does not answer is told while requests end.
      service.store.hurry();
      service.alpha.community?.store.hurry();
      await untilQuiet(host.requests);
      await listeners.drain(DRAIN_MS);
      for (const end of ends) end();
      await keys.close();
      await closeService(service);
    };
    const { address, metrics_address } = listeners;
    return { service, address, metrics_address, stop };
  } catch (error) {
    await listeners.close();
    // What fails here as well hides nothing: the first error says why nothing is served.
    await Promise.allSettled([opened === undefined ? undefined : closeService(opened)]);
    throw error;
  }
}

/**
 * Resolves when those who were sending requests have been told that the service ends. What has arrived at the
 * machine but was not read yet would otherwise be cut off without an answer.
 */
async function untilQuiet(requests: { readonly arrived: number }): Promise<void> {
  for (let waited_ms = 0; waited_ms < QUIET_WITHIN_MS; waited_ms += QUIET_MS) {
    const { arrived } = requests;
    await Bun.sleep(QUIET_MS);
    // A turn of the event loop in which what came during a long one is read.
    await nextTurn();
    if (requests.arrived === arrived) return;
  }
}

type Begin = (running: Running, stopping: AbortSignal) => void | Promise<void>;

/**
 * Runs the service until the first SIGTERM or SIGINT, and stops it cleanly even if that comes while it loads. What is
 * said with `console` meanwhile is in the log.
 * @param begin called when it serves; `stopping` tells that it should end
 * @throws StartupError as `runService`
 */
export async function runUntilSignalled(
  settings: Settings,
  command: string,
  logging: Logging,
  begin: Begin,
): Promise<void> {
  logUncaught(logging.log);
  const restoreConsole = logConsole(logging.log);
  try {
    await runToTheEnd(settings, command, logging, begin);
  } finally {
    restoreConsole();
  }
}

async function runToTheEnd(
  settings: Settings,
  command: string,
  { log, destination }: Logging,
  begin: Begin,
): Promise<void> {
  const stopping = abortedBySignals();
  let running: Running;
  try {
    running = await runService(settings, command, log, { stopping, destination });
  } catch (error) {
    if (!stopping.aborted || error !== stopping.reason) throw error;
    log.info('stopped before the state was loaded');
    return;
  }
  try {
    await begin(running, stopping);
  } catch (error) {
    await running.stop();
    throw error;
  }
  if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve));
  log.info({ signal: (stopping.reason as Error).message }, 'stopping');
  await running.stop();
}

/** A signal that comes so long after the first one is meant to end the process at once, milliseconds. */
const IMPATIENT_AFTER_MS = 1_000;

/**
 * Aborted at the first SIGTERM or SIGINT; the signal's name is the reason's message. The same comes twice when a terminal
 * tells everybody who runs in it, and whoever started this passes it on: that is no impatience.
 */
function abortedBySignals(): AbortSignal {
  const controller = new AbortController();
  let first_ms = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        first_ms = monotonicMs();
        controller.abort(new Error(signal));
      } else if (monotonicMs() - first_ms >= IMPATIENT_AFTER_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
  return controller.signal;
}
