import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { WALLET_RANKINGS } from '../alpha/wallet-feeds.ts';
import { type Clock, monotonicMs, systemClock, systemTimers } from '../clock.ts';
import { noteUseThrough } from '../cluster/key-uses.ts';
import { purgeCommunity, sweepSeenOf } from '../community.ts';
import { reasonsOf, rootReasonOf } from '../errors.ts';
import { DEFAULT_RANKINGS } from '../feeds/compile-feed.ts';
import { KeyRing } from '../http/identity/auth.ts';
import { createRateLimiter } from '../http/identity/rate-limit.ts';
import type { Host } from '../http/transport/host.ts';
import { ModelHistory } from '../ingest/model-history.ts';
import { LIMITS } from '../limits.ts';
import { closeService, handOver, openService, type Service } from '../service.ts';
import type { Settings } from '../settings.ts';
import { LogUpkeep } from '../store/log-upkeep.ts';
import { RegularPurge } from '../store/regular-purge.ts';
import type { Watchdog } from './watchdog.ts';

/** Interval at which keys that other processes created or revoked are loaded. */
const KEYS_REFRESH_MS = 500;

export interface SessionOptions {
  settings: Settings;
  command: string;
  log: Logger;
  host: Host;
  /** Where other nodes reach this process. */
  address: string;
  /** Default: by the settings. */
  clock?: Clock;
  stopping?: AbortSignal;
  watchdog?: Pick<Watchdog, 'whileLoading'>;
}

/** A service that is loaded and answers requests, until it is closed. A node may have several, one after another. */
export interface Session {
  service: Service;
  /** Starts no more background work that writes. */
  pause(): void;
  /** As `ClusterNode.retire`. */
  retire(): Promise<void>;
  /** Lets another node lead, if this one does. Requests under way can store nothing more. */
  handOver(): Promise<void>;
  /** Closes the service. No request may be under way. */
  close(): Promise<void>;
}

/**
 * Opens the service and lets the host serve it.
 * @throws as `openService`; the reason of `stopping`
 */
export function openSession(options: SessionOptions): Promise<Session> {
  const { watchdog } = options;
  return watchdog === undefined ? open(options) : watchdog.whileLoading(() => open(options));
}

async function open({
  settings,
  command,
  log,
  host,
  address,
  clock,
  stopping,
}: SessionOptions): Promise<Session> {
  const service = await openService(settings, {
    command,
    address,
    clock,
    monotonicMs,
    log,
    stopping,
    writes_checkpoints: true,
    retires_items: true,
    logs_shown: true,
    watchPage: host.tracer?.ofRequest,
    watchCommit: host.tracer?.commitOfRequest,
  });
  try {
    return await begin(service, host, log, stopping);
  } catch (error) {
    // Errors of the close are ignored: the first error is the cause.
    await Promise.allSettled([closeService(service)]);
    throw error;
  }
}

async function begin(
  service: Service,
  host: Host,
  log: Logger,
  stopping: AbortSignal | undefined,
): Promise<Session> {
  const limiter = createRateLimiter(service);
  // The system clock, as --now may have set the service's clock to another year.
  const keys = new KeyRing(service.store, {
    clock: systemClock,
    api_key: service.settings.api_key,
    limiter,
    noteUse: noteUseThrough(service.cluster, service.store.keys),
  });
  await keys.refresh();
  for (const { code, detail, cause } of service.saved_feeds.problems())
    log.warn({ code, cause: cause === undefined ? undefined : reasonsOf(cause) }, detail);
  const slice = async (): Promise<void> => {
    await nextTurn();
    stopping?.throwIfAborted();
  };
  await service.feeds.upkeep.buildRankings(DEFAULT_RANKINGS, slice);
  await service.alpha.community?.feeds.upkeep.buildRankings(WALLET_RANKINGS, slice);
  await service.feeds.rehearse(slice);
  host.open(service, keys);
  const refreshing = setInterval(() => keys.keepUp(log), KEYS_REFRESH_MS);
  const ends = [
    host.metrics.watchEventLoop(),
    service.load.watch(),
    service.feeds.upkeep.warmUp(DEFAULT_RANKINGS),
  ];
  service.alpha.whenThere(({ feeds }) => ends.push(feeds.upkeep.warmUp(WALLET_RANKINGS)));
  let purge: RegularPurge | undefined;
  let log_upkeep: LogUpkeep | undefined;
  let history: ModelHistory | undefined;
  let paused = false;
  whenLeading(service, () => {
    // A node may begin to lead while it stops.
    if (paused) return;
    service.connectors.start();
    purge = regularPurge(service, log);
    const stores = () => [service, service.alpha.community ?? []].flat().map(({ store }) => store);
    log_upkeep = new LogUpkeep(stores, systemTimers, log);
    history = new ModelHistory(service.state, service.store, systemTimers, log);
  });
  const pause = (): void => {
    paused = true;
    clearInterval(refreshing);
    purge?.stop();
    log_upkeep?.stop();
    history?.stop();
  };
  const handOverLead = async (): Promise<void> => {
    await keys.close();
    await handOver(service);
  };
  const retire = async (): Promise<void> => service.cluster?.retire();
  const close = async (): Promise<void> => {
    for (const end of ends) end();
    await keys.close();
    await closeService(service);
  };
  return { service, pause, retire, handOver: handOverLead, close };
}

/** Calls back when this process is the one that writes. */
function whenLeading({ cluster }: Service, lead: () => void): void {
  if (cluster === undefined) lead();
  else cluster.onLead(lead);
}

function regularPurge(service: Service, log: Logger): RegularPurge {
  let purges = 0;
  const purge = () => purgeAll(service, purges++ % LIMITS.purges_per_seen_sweep === 0);
  return new RegularPurge({ purge }, systemTimers, (error) =>
    log.warn(
      { cause: rootReasonOf(error) },
      'the data of erased users, wallets and deleted feeds could not be purged now; the purge will be repeated',
    ),
  );
}

/**
 * Removes the data of erased users and wallets, and of feeds that can no longer be restored.
 * @param sweeps also what viewers saw too long ago
 */
async function purgeAll(service: Service, sweeps: boolean): Promise<void> {
  await service.saved_feeds.forgetDeleted();
  const communities = [service, service.alpha.community ?? []].flat();
  for (const community of communities) await purgeCommunity(community);
  if (!sweeps) return;
  for (const community of communities) await sweepSeenOf(community, service.settings);
}
