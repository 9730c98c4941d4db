import { setImmediate as nextTurn } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { type Clock, freshSeed, monotonicMs, seededRandom, systemClock, systemTimers } from '../clock.ts';
import { reasonsOf } from '../errors.ts';
import { LOG } from '../http/metrics/host.ts';
import { Host } from '../http/transport/host.ts';
import { serviceManagerOf } from '../platform/service-manager.ts';
import type { Service } from '../service.ts';
import type { LogLevel, Settings } from '../settings.ts';
import { withShownUrls } from '../shown-url.ts';
import { Exporter } from '../tracing/exporter.ts';
import { Tracer } from '../tracing/tracer.ts';
import { thisVersion } from '../version.ts';
import { logConsole } from './console-lines.ts';
import { ingestSamples } from './fill-demo.ts';
import { Listeners } from './listeners.ts';
import { LogDestination } from './log-destination.ts';
import { Sessions } from './sessions.ts';
import { StopSignals } from './stop-signals.ts';
import { Watchdog } from './watchdog.ts';

/**
 * Logs uncaught errors, one line each, and keeps the service running.
 *
 * They mostly come from plugins that start work without awaiting it. Such work belongs to no request, so only the stack
 * identifies the plugin.
 */
function logUncaught(log: Logger): void {
  const logger = (message: string) => (error: unknown) => {
    const stack =
      error instanceof Error && error.stack !== undefined ? withShownUrls(error.stack) : undefined;
    log.error({ cause: reasonsOf(error), stack }, message);
  };
  process.on('uncaughtException', logger('an error was not caught'));
  process.on('unhandledRejection', logger('a promise was rejected and not handled'));
}

/** The tracer of the settings. Undefined without an endpoint. */
function createTracer(
  { otlp_endpoint, otlp_headers = {}, service_name, traces_sampler_arg }: Settings,
  log: Logger,
): Tracer | undefined {
  if (otlp_endpoint === undefined) return undefined;
  const { version } = thisVersion();
  const exporter = new Exporter({
    endpoint: otlp_endpoint,
    headers: otlp_headers,
    resource: { service_name, version, instance_id: crypto.randomUUID() },
    timers: systemTimers,
    monotonicMs,
    log,
  });
  const time = { now: () => systemClock.now(), monotonicMs };
  return new Tracer(exporter, time, traces_sampler_arg, seededRandom(freshSeed()));
}

/** At shutdown, connections are closed after this long without a request, … */
const QUIET_MS = 50;
const QUIET_WITHIN_MS = 1_000;
/** Maximum time for requests under way at shutdown, … */
const REQUESTS_MS = 10_000;
/** … and for those that may write, before a leader gives the lead up: other nodes keep their requests for three seconds. */
const WRITES_MS = 2_000;
const WRITES_CHECK_MS = 5;

export interface Running {
  service: Service;
  address: string;
  /** `http://host:port` of the separate port for metrics, if there is one. */
  metrics_address: string | undefined;
  /** Creates a one-time code that signs a browser in with a key. See `ConsoleCodes`. */
  createConsoleCode(api_key: string): string;
  /** From now on `/readyz` answers 503, so that balancers send requests elsewhere. Those that arrive are served. */
  drain(): void;
  /** Stops listening, waits for requests and writes, and closes the store. */
  stop(): Promise<void>;
}

/** Structured logs, one JSON text per line. They never contain keys or bodies. */
export interface Logging {
  log: Logger;
  destination: LogDestination;
}

/** Creates the log of a command. Lines below `level` are dropped. */
export function createLogging(stream: 'stdout' | 'stderr', level: LogLevel): Logging {
  const destination = new LogDestination(stream === 'stdout' ? 1 : 2);
  return { log: pino({ base: undefined, level }, destination), destination };
}

interface RunOptions {
  stopping?: AbortSignal;
  /** Destination of the log, for the metric of lost lines. */
  destination?: LogDestination;
  /** Default: by the settings. */
  clock?: Clock;
  watchdog?: Watchdog;
}

/**
 * Listens immediately (answering 503 while the state loads), opens the service and serves it.
 * @throws StartupError if the port is in use, a plugin is refused, or the data cannot be used; the reason of
 * `stopping` if it is aborted before the state is loaded
 */
export async function runService(
  settings: Settings,
  command: string,
  log: Logger,
  { stopping, destination, clock, watchdog }: RunOptions = {},
): Promise<Running> {
  const tracer = createTracer(settings, log);
  const host = new Host(log, { requests_max: settings.requests_max, fillDemo, tracer });
  if (destination !== undefined) host.metrics.watch(LOG, destination);
  const listeners = new Listeners(host, settings);
  try {
    const address = listeners.node_address;
    const sessions = await Sessions.open({
      settings,
      command,
      log,
      host,
      address,
      clock,
      stopping,
      watchdog,
    });
    const stop = async (): Promise<void> => {
      sessions.pause();
      await sessions.retire();
      host.close();
      // Requests that wait for a store which does not answer then fail during the shutdown.
      sessions.service.store.stopWaiting();
      sessions.service.alpha.community?.store.stopWaiting();
      if (sessions.service.cluster?.leads_others) await untilWritten(host.requests);
      await sessions.handOver();
      await untilQuiet(host.requests);
      await listeners.drain(REQUESTS_MS);
      await sessions.close();
      await tracer?.close();
    };
    const createConsoleCode = (api_key: string) => host.console_codes.create(api_key);
    const { address: shown, metrics_address } = listeners;
    const drain = () => host.drain();
    return { service: sessions.service, address: shown, metrics_address, createConsoleCode, drain, stop };
  } catch (error) {
    await listeners.close();
    throw error;
  }
}

function fillDemo(service: Service): Promise<void> {
  return ingestSamples(service, service.clock.now());
}

/** Resolves when no request that may write is under way, at the latest after two seconds. */
async function untilWritten(requests: Pick<Host['requests'], 'underWay'>): Promise<void> {
  const mayWrite = ({ method }: Request) => method !== 'GET' && method !== 'HEAD';
  const until_ms = monotonicMs() + WRITES_MS;
  while ([...requests.underWay()].some(mayWrite) && monotonicMs() < until_ms)
    await Bun.sleep(WRITES_CHECK_MS);
}

/**
 * Resolves when clients have learned that the service is stopping.
 *
 * Requests that have arrived at the machine but were not read yet would otherwise be cut off without an answer.
 */
async function untilQuiet(requests: { readonly arrived: number }): Promise<void> {
  for (let waited_ms = 0; waited_ms < QUIET_WITHIN_MS; waited_ms += QUIET_MS) {
    const { arrived } = requests;
    await Bun.sleep(QUIET_MS);
    // One turn of the event loop, to read what arrived during a long one.
    await nextTurn();
    if (requests.arrived === arrived) return;
  }
}

export type Begin = (running: Running, stopping: AbortSignal) => void | Promise<void>;

/**
 * Runs the service until the first SIGTERM or SIGINT, and stops it cleanly even while it loads. `console` output goes
 * to the log.
 * @param begin called when the service is ready; `stopping` is aborted when it should end
 * @throws StartupError as `runService`
 */
export async function runUntilSignalled(
  settings: Settings,
  command: string,
  logging: Logging,
  begin: Begin,
  options: SignalledOptions,
): Promise<void> {
  const { log, destination } = logging;
  logUncaught(log);
  const restoreConsole = logConsole(log);
  const watchdog = new Watchdog({
    seconds: settings.watchdog_seconds,
    manager: serviceManagerOf(options.env, process.pid),
    report: settings.log_level === 'silent' ? undefined : { descriptor: destination.descriptor, form: 'log' },
    onFailure: (cause) => log.error({ cause }, 'the watchdog has stopped'),
  });
  try {
    await runToTheEnd(settings, command, logging, begin, { clock: options.clock, watchdog });
  } finally {
    watchdog.close();
    restoreConsole();
  }
}

interface SignalledOptions {
  /** The environment, in which a service manager passes the address of its socket. */
  env: Record<string, string | undefined>;
  /** Default: by the settings. */
  clock?: Clock;
}

async function runToTheEnd(
  settings: Settings,
  command: string,
  { log, destination }: Logging,
  begin: Begin,
  { clock, watchdog }: { clock: Clock | undefined; watchdog: Watchdog },
): Promise<void> {
  const signals = new StopSignals(process.exit);
  const { stopping } = signals;
  let running: Running;
  try {
    running = await runService(settings, command, log, { stopping, destination, clock, watchdog });
  } catch (error) {
    if (!stopping.aborted || error !== stopping.reason) throw error;
    log.info('stopped before the state was loaded');
    return;
  }
  try {
    await watchdog.whileLoading(async () => begin(running, stopping));
  } catch (error) {
    await running.stop();
    throw error;
  }
  watchdog.ready();
  if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve));
  watchdog.stopping();
  const { drain_seconds } = settings;
  log.info({ signal: (stopping.reason as Error).message, drain_seconds }, 'stopping');
  if (drain_seconds > 0) {
    running.drain();
    await signals.drain(drain_seconds);
  }
  await running.stop();
}
